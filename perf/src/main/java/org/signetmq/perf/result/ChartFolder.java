/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;

/**
 * The folder that charts are written to, each as NAME.svg, and as NAME.png if pictures are wanted too. The second chart
 * of one name becomes NAME-2. A chart without rows is left out. For one thread.
 */
public final class ChartFolder {
    /** A number with more decimals than a picture needs. */
    private static final Pattern LONG_NUMBER = Pattern.compile("(\\d+\\.\\d)\\d+");

    private final Path folder;
    private final boolean hasPictures;
    private final List<String> written = new ArrayList<>();

    /** Names a folder; it is made when it is needed. */
    public ChartFolder(Path folder) {
        this(folder, true);
    }

    private ChartFolder(Path folder, boolean hasPictures) {
        System.setProperty("java.awt.headless", "true"); // before AWT is loaded: servers have no screen
        this.folder = folder;
        this.hasPictures = hasPictures;
    }

    /** Returns a folder for SVG alone. */
    public static ChartFolder ofVectors(Path folder) {
        return new ChartFolder(folder, false);
    }

    /** Returns the names of the charts so far. */
    public List<String> written() {
        return List.copyOf(written);
    }

    /**
     * Makes the folder, and finds out whether charts can be written there.
     *
     * @throws IOException if not; the message says why, and does not name the folder
     */
    void check() throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IOException("is not a folder");
        }
        try {
            Files.createDirectories(folder);
        } catch (FileSystemException e) {
            throw new IOException("the folder cannot be made", e);
        }
        try {
            Files.delete(Files.createTempFile(folder, ".chart", ".tmp"));
        } catch (FileSystemException e) {
            throw new IOException("cannot be written to", e);
        }
    }

    /** Draws rows as bars. */
    public <T> void bars(String name, Chart<T> chart, List<T> rows) throws IOException {
        if (!rows.isEmpty()) {
            write(name, chart.bars(rows));
        }
    }

    /** Draws rows as lines. */
    public <T> void lines(String name, Chart<T> chart, List<T> rows) throws IOException {
        if (!rows.isEmpty()) {
            write(name, chart.lines(rows));
        }
    }

    private String free(String name) {
        String free = name;
        for (int next = 2; written.contains(free); next++) {
            free = name + "-" + next;
        }
        return free;
    }

    void write(String wanted, org.knowm.xchart.internal.chartpart.Chart<?, ?> chart) throws IOException {
        String name = free(wanted);
        String file = Files.createDirectories(folder).resolve(name).toString();
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
        Path svg = Path.of(file + ".svg");
        Files.writeString(svg, LONG_NUMBER.matcher(Files.readString(svg)).replaceAll("$1"));
        if (hasPictures) {
            BitmapEncoder.saveBitmap(chart, file, BitmapFormat.PNG);
        }
        written.add(name);
    }
}
