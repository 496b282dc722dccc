/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.testkit.ByteSearch;
import org.signetmq.testkit.Run;

/**
 * Follows the writes of a process to files below a folder, through strace, and searches them for texts. So it also
 * finds a text in a file that is soon deleted or overwritten. Writes to a file are taken as one stream, so that a text
 * is found across two of them.
 */
final class WriteWatch implements AutoCloseable {
    private static final Pattern FILE = Pattern.compile("\\((\\d+)<([^>]*)>");
    private static final Pattern MAPPING = Pattern.compile("mmap\\(.*PROT_WRITE.*MAP_SHARED.*, \\d+<([^>]*)>");
    private static final Pattern ASYNCHRONOUS = Pattern.compile(
            "IOCB_CMD_PWRITE[^}]*?aio_fildes=\\d+<([^>]*)>(?:, aio_buf=\"((?:\\\\x[0-9a-f]{2})*)\"(\\.\\.\\.)?)?");
    private static final int HEAD = 4 * 4096 + 100; // with the longest path, which takes four characters a byte
    private static final String CUT = "...";

    private final Path folder;
    private final Path fifo;
    private final Map<String, List<ByteSearch>> wanted = new HashMap<>();
    private final int longest;
    private final Set<String> found = ConcurrentHashMap.newKeySet();
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
    private final Set<String> mapped = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<String, byte[]> ends = new HashMap<>();
    private final List<Thread> readers = new ArrayList<>();

    /** Looks for each text as UTF-8 and UTF-16 in files below the folder. */
    WriteWatch(Path folder, Path fifo, String... texts) {
        this.folder = folder;
        this.fifo = fifo;
        int most = 0;
        for (String text : texts) {
            List<byte[]> forms = List.of(
                    text.getBytes(StandardCharsets.UTF_8),
                    text.getBytes(StandardCharsets.UTF_16LE),
                    text.getBytes(StandardCharsets.UTF_16BE));
            wanted.put(text, forms.stream().map(ByteSearch::new).toList());
            most = Math.max(most, forms.get(1).length);
        }
        this.longest = most;
    }

    /** The words before a command that make it watched; from then on this object follows it. */
    String[] watching() throws IOException {
        Files.deleteIfExists(fifo);
        Run.of(folder, List.of("mkfifo", fifo.toString())).ok();
        Thread reader = new Thread(this::read, "strace");
        reader.setDaemon(true);
        reader.start();
        readers.add(reader);
        return new String[] {
            "strace",
            "-D", // the broker stays our child, so that it can be killed
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-e",
            "trace=write,pwrite64,writev,pwritev,pwritev2,sendfile,splice,copy_file_range,mmap,io_submit",
            "-e",
            "signal=none",
            "-s",
            "2000000",
            "-xx",
            "-y",
            "-o",
            fifo.toString()
        };
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(fifo), StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                look(line);
            }
        } catch (IOException | RuntimeException e) {
            unreadable.add("strace: " + e);
        }
    }

    private synchronized void look(String line) {
        String call = line.substring(0, Math.max(0, line.indexOf('(')));
        if (call.endsWith("mmap")) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.find() && isOurs(plain(mapping.group(1)))) {
                mapped.add(plain(mapping.group(1)));
            }
            return;
        }
        if (call.endsWith("io_submit")) {
            lookAtSubmitted(line);
            return;
        }
        Matcher file = FILE.matcher(line).region(0, Math.min(HEAD, line.length()));
        if (!file.find() || !isOurs(plain(file.group(2)))) {
            return;
        }
        lookAtWritten(plain(file.group(2)), line, file.end());
    }

    /** Looks at each piece of data in quotation marks. There are megabytes of them, too much for a pattern. */
    private void lookAtWritten(String path, String line, int from) {
        int parts = 0;
        int start = line.indexOf('"', from);
        while (start >= 0) {
            int end = line.indexOf('"', start + 1);
            parts++;
            if (end < 0 || line.startsWith(CUT, end + 1)) {
                unreadable.add(path + ": more than strace shows");
            }
            look(path, bytes(line, start + 1, end < 0 ? line.length() : end));
            start = end < 0 ? -1 : line.indexOf('"', end + 1);
        }
        if (parts == 0) {
            unreadable.add(line); // written by a way that shows no bytes
        }
    }

    /** Several writes may be handed over at once. */
    private void lookAtSubmitted(String line) {
        Matcher write = ASYNCHRONOUS.matcher(line);
        int seen = 0;
        while (write.find()) {
            seen++;
            String path = plain(write.group(1));
            if (!isOurs(path)) {
                continue;
            }
            if (write.group(2) == null || write.group(3) != null) {
                unreadable.add(path + ": more than strace shows");
            } else {
                look(path, bytes(write.group(2), 0, write.group(2).length()));
            }
        }
        if (seen == 0 && line.contains("IOCB_CMD_PWRITE")) {
            unreadable.add(line);
        }
    }

    /**
     * Searches the files that were written as memory, which strace does not see. Call it when their writer has been
     * killed and has overwritten none of it.
     */
    synchronized void searchMapped() throws IOException {
        for (String path : mapped) {
            Path file = Path.of(path);
            if (Files.exists(file)) {
                ends.remove(path);
                look(path, Files.readAllBytes(file));
            }
        }
        mapped.clear();
    }

    private boolean isOurs(String path) {
        return path.startsWith(folder.toString());
    }

    private void look(String path, byte[] written) {
        bytes.addAndGet(written.length);
        byte[] before = ends.getOrDefault(path, new byte[0]);
        byte[] stream = new byte[before.length + written.length];
        System.arraycopy(before, 0, stream, 0, before.length);
        System.arraycopy(written, 0, stream, before.length, written.length);
        wanted.forEach((text, forms) -> {
            if (forms.stream().anyMatch(form -> form.isIn(stream))) {
                found.add(text);
            }
        });
        int kept = Math.min(longest - 1, stream.length);
        byte[] end = new byte[kept];
        System.arraycopy(stream, stream.length - kept, end, 0, kept);
        ends.put(path, end);
    }

    /** Paths are escaped as data is. */
    private static String plain(String path) {
        return path.startsWith("\\x") ? new String(bytes(path, 0, path.length()), StandardCharsets.UTF_8) : path;
    }

    /** Returns the bytes that are written as {@code \x} and two digits each. */
    private static byte[] bytes(String line, int from, int to) {
        byte[] bytes = new byte[(to - from) / 4];
        for (int i = 0, at = from; i < bytes.length; i++, at += 4) {
            int high = Character.digit(line.charAt(at + 2), 16);
            int low = Character.digit(line.charAt(at + 3), 16);
            if ((high | low) < 0) {
                throw new IllegalArgumentException("not of strace: " + line.substring(at, at + 4));
            }
            bytes[i] = (byte) (high << 4 | low);
        }
        return bytes;
    }

    /** Waits until all that was written by ended processes has been read. */
    void readToTheEnd() throws InterruptedException {
        for (Thread reader : readers) {
            reader.join();
        }
    }

    /** Those texts that were written. */
    Set<String> found() {
        return Set.copyOf(found);
    }

    /** Writes that could not be looked into, and files written as memory that were not; must be none. */
    Set<String> unreadable() {
        Set<String> all = new HashSet<>(unreadable);
        all.addAll(mapped);
        return all;
    }

    long bytes() {
        return bytes.get();
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(fifo);
    }
}
