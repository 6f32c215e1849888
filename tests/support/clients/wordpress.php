<?php
// Stands for WordPress and WP-CLI where the tests run samples/wordpress: the functions that the sample calls, with the
// behavior that their documentation promises. Arguments: the plug-in, then those of the command. LIBRARY is a folder
// for attachments, and a file `library.json` with what is known of them.

const WP_CLI = true;
define('PROOFROOM_URL', getenv('PROOFROOM_URL'));
define('PROOFROOM_TOKEN', getenv('PROOFROOM_TOKEN'));

set_error_handler(fn ($level, $message, $file, $line) => throw new ErrorException($message, 0, $level, $file, $line));

final class WP_Error
{
    public function __construct(private string $code, private string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

final class WP_CLI
{
    public static array $commands = [];

    public static function add_command(string $name, callable $command): void
    {
        self::$commands[$name] = $command;
    }

    public static function success(string $text): void
    {
        echo "Success: $text\n";
    }

    public static function warning(string $text): void
    {
        echo "Warning: $text\n";
    }

    public static function error(string $text): never
    {
        echo "Error: $text\n";
        exit(1);
    }
}

function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}

function wp_remote_get(string $url, array $args): array|WP_Error
{
    $headers = array_map(fn ($name, $value) => "$name: $value", array_keys($args['headers']), $args['headers']);
    $options = ['header' => $headers, 'ignore_errors' => true, 'timeout' => $args['timeout'], 'max_redirects' => 0];
    try {
        $body = file_get_contents($url, false, stream_context_create(['http' => $options]));
    } catch (ErrorException $error) {
        return new WP_Error('http_request_failed', $error->getMessage());
    }
    $received = [];
    foreach (array_slice($http_response_header, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $received[strtolower($name)] = trim($value);
    }
    if ($args['stream'] ?? false) {
        file_put_contents($args['filename'], $body);
        $body = '';
    }
    $code = (int) explode(' ', $http_response_header[0])[1];
    return ['response' => ['code' => $code], 'headers' => $received, 'body' => $body];
}

function wp_remote_retrieve_body(array $response): string
{
    return $response['body'];
}

function wp_remote_retrieve_response_code(array $response): int
{
    return $response['response']['code'];
}

function wp_remote_retrieve_header(array $response, string $name): string
{
    return $response['headers'][strtolower($name)] ?? '';
}

function wp_tempnam(string $name): string
{
    return tempnam(getenv('LIBRARY'), 'temporary-');
}

function sanitize_file_name(string $name): string
{
    return trim(preg_replace('/[^\w.]+/u', '-', $name), '.-_');
}

function read_library(): array
{
    $file = getenv('LIBRARY') . '/library.json';
    return file_exists($file) ? json_decode(file_get_contents($file), true) : [];
}

function write_library(array $library): void
{
    file_put_contents(getenv('LIBRARY') . '/library.json', json_encode($library));
}

/** WordPress refuses content that is not of the type of the extension, and moves the file. */
function media_handle_sideload(array $file, int $post, ?string $description, array $data): int|WP_Error
{
    $allowed = ['image/jpeg' => 'jpg', 'image/png' => 'png'];
    $type = mime_content_type($file['tmp_name']);
    if (($allowed[$type] ?? null) !== pathinfo($file['name'], PATHINFO_EXTENSION)) {
        return new WP_Error('upload_error', 'Sorry, you are not allowed to upload this file type.');
    }
    $library = read_library();
    $id = count($library) + 1;
    rename($file['tmp_name'], getenv('LIBRARY') . "/$id-{$file['name']}");
    $library[] = ['id' => $id, 'file' => "$id-{$file['name']}", 'title' => $data['post_title'], 'post' => $post, 'meta' => []];
    write_library($library);
    return $id;
}

function add_post_meta(int $id, string $key, string $value, bool $unique): void
{
    $library = read_library();
    $library[$id - 1]['meta'][$key] = $value;
    write_library($library);
}

function get_posts(array $query): array
{
    $isWanted = fn (array $one) => ($one['meta'][$query['meta_key']] ?? null) === $query['meta_value'];
    return array_column(array_filter(read_library(), $isWanted), 'id');
}

require $argv[1];
$positional = [];
$options = [];
foreach (array_slice($argv, 2) as $argument) {
    if (preg_match('/^--(\w+)=(.*)$/', $argument, $parts)) {
        $options[$parts[1]] = $parts[2];
    } else {
        $positional[] = $argument;
    }
}
(WP_CLI::$commands['proofroom import'])($positional, $options);
