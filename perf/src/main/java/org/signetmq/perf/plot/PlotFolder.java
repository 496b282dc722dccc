/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/** Where charts are written. */
public final class PlotFolder {
    private final Path folder;

    /** A folder, made when it is needed if it is not there. */
    public PlotFolder(Path folder) {
        System.setProperty("java.awt.headless", "true"); // before AWT is loaded: servers have no screen
        this.folder = folder;
    }

    /**
     * Makes the folder, and finds out whether charts can be written there.
     *
     * @throws IOException if not; the message says why, and not which folder
     */
    public void check() throws IOException {
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

    /** Writes NAME.svg and NAME.png. */
    public void write(String name, Plot plot) throws IOException {
        Chart<?, ?> chart = plot.draw();
        String file = Files.createDirectories(folder).resolve(name).toString();
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
        BitmapEncoder.saveBitmap(chart, file, BitmapFormat.PNG);
    }
}
