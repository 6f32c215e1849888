<?php
/**
 * Plugin Name: Proofroom import
 * Description: Imports the photos of a Proofroom gallery into the media library, with WP-CLI.
 * License: MIT
 * Requires PHP: 8.1
 */

if (!defined('WP_CLI') || !WP_CLI) {
    return;
}

const PROOFROOM_EXTENSIONS = [
    'image/jpeg' => 'jpg',
    'image/png' => 'png',
    'image/webp' => 'webp',
    'image/gif' => 'gif',
    'image/avif' => 'avif',
    'image/heic' => 'heic',
    'image/tiff' => 'tif',
];
const PROOFROOM_ATTEMPTS = 10;

/**
 * Imports the visible photos of an event. Photos that were imported before are skipped, unless their file has changed.
 *
 * ## OPTIONS
 *
 * <event>
 * : The id of the event.
 *
 * [--size=<size>]
 * : 640, 1280, 1920 or 2560 pixels wide, as JPEG with the watermark of the event, or "original".
 * ---
 * default: 1920
 * ---
 *
 * [--post=<post>]
 * : The id of the post that the attachments belong to.
 * ---
 * default: 0
 * ---
 */
function proofroom_import_command(array $args, array $options): void
{
    $event = $args[0] ?? '';
    $size = (string) ($options['size'] ?? '1920');
    $post = (string) ($options['post'] ?? '0');
    if (!ctype_digit($event) || !in_array($size, ['640', '1280', '1920', '2560', 'original'], true) || !ctype_digit($post)) {
        WP_CLI::error('Usage: wp proofroom import <event> [--size=640|1280|1920|2560|original] [--post=<post>]');
    }
    if (!defined('PROOFROOM_URL') || !defined('PROOFROOM_TOKEN')) {
        WP_CLI::error('Define PROOFROOM_URL and PROOFROOM_TOKEN in wp-config.php.');
    }
    // WP-CLI does not load what only the admin pages need.
    if (!function_exists('media_handle_sideload')) {
        require_once ABSPATH . 'wp-admin/includes/file.php';
        require_once ABSPATH . 'wp-admin/includes/image.php';
        require_once ABSPATH . 'wp-admin/includes/media.php';
    }
    $counts = ['imported' => 0, 'skipped' => 0, 'failed' => 0];
    try {
        foreach (proofroom_photos((int) $event) as $photo) {
            $counts[proofroom_import_photo((int) $event, $photo, $size, (int) $post)]++;
        }
    } catch (RuntimeException $error) {
        WP_CLI::error($error->getMessage());
    }
    $summary = "{$counts['imported']} imported, {$counts['skipped']} skipped, {$counts['failed']} failed";
    $counts['failed'] > 0 ? WP_CLI::error($summary) : WP_CLI::success($summary);
}

/** Yields the photos of an event that guests see, without videos. Throws a RuntimeException if the list is refused. */
function proofroom_photos(int $event): Generator
{
    $after = '';
    do {
        $query = http_build_query(['limit' => 100, 'after' => $after]);
        $page = json_decode(wp_remote_retrieve_body(proofroom_get("/api/v1/events/$event/photos?$query")), true);
        foreach ($page['photos'] as $photo) {
            if ($photo['visibility'] === 'visible' && $photo['media_type'] === 'image' && $photo['processing_status'] === 'ready') {
                yield $photo;
            }
        }
        $after = $page['pagination']['next'];
    } while ($after !== null);
}

/** Makes an attachment of a photo. Returns "imported", "skipped" or "failed"; prints why it failed. */
function proofroom_import_photo(int $event, array $photo, string $size, int $post): string
{
    // Changes when the photo gets another file, or another size is imported.
    $source = "{$photo['id']}/$size/{$photo['content_hash']}";
    $known = ['post_type' => 'attachment', 'post_status' => 'inherit', 'numberposts' => 1, 'fields' => 'ids'];
    if (get_posts($known + ['meta_key' => '_proofroom_source', 'meta_value' => $source])) {
        return 'skipped';
    }
    $address = "/api/v1/events/$event/photos/{$photo['id']}/";
    $title = pathinfo($photo['original_filename'], PATHINFO_FILENAME);
    $extension = $size === 'original' ? PROOFROOM_EXTENSIONS[$photo['mime_type']] ?? 'bin' : 'jpg';
    $file = wp_tempnam($title);
    try {
        proofroom_get($address . ($size === 'original' ? 'download' : "preview?w=$size"), $file);
        $upload = ['name' => sanitize_file_name("$title.$extension"), 'tmp_name' => $file];
        $attachment = media_handle_sideload($upload, $post, null, ['post_title' => $title]);
        if (is_wp_error($attachment)) {
            throw new RuntimeException($attachment->get_error_message());
        }
        add_post_meta($attachment, '_proofroom_source', $source, true);
        return 'imported';
    } catch (RuntimeException $error) {
        WP_CLI::warning("{$photo['original_filename']}: {$error->getMessage()}");
        return 'failed';
    } finally {
        // WordPress has moved the file, unless the import has failed.
        if (file_exists($file)) {
            unlink($file);
        }
    }
}

/**
 * Returns the response of a call, or writes its body into a file. Waits while a picture is being made. Throws a
 * RuntimeException if the call is refused.
 */
function proofroom_get(string $path, ?string $file = null): array
{
    $request = [
        'headers' => ['Authorization' => 'Bearer ' . PROOFROOM_TOKEN, 'Accept' => $file ? 'image/jpeg' : 'application/json'],
        'timeout' => 60,
        'redirection' => 0, // The token goes to no other address.
    ];
    if ($file !== null) {
        $request += ['stream' => true, 'filename' => $file];
    }
    for ($attempt = 1; ; $attempt++) {
        $response = wp_remote_get(rtrim(PROOFROOM_URL, '/') . $path, $request);
        if (is_wp_error($response)) {
            throw new RuntimeException($response->get_error_message());
        }
        $status = wp_remote_retrieve_response_code($response);
        if ($status === 200) {
            return $response;
        }
        $wait = (int) wp_remote_retrieve_header($response, 'retry-after');
        if (!in_array($status, [429, 503], true) || $attempt === PROOFROOM_ATTEMPTS) {
            $problem = json_decode($file === null ? wp_remote_retrieve_body($response) : file_get_contents($file), true);
            throw new RuntimeException($problem['error'] ?? "The response has the status $status.");
        }
        sleep(min(max($wait, 1), 60));
    }
}

WP_CLI::add_command('proofroom import', 'proofroom_import_command');
