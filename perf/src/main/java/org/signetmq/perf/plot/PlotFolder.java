/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

import java.io.IOException;
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

    /** A folder, made if it is not there. */
    public PlotFolder(Path folder) throws IOException {
        System.setProperty("java.awt.headless", "true"); // before AWT is loaded: servers have no screen
        this.folder = Files.createDirectories(folder);
    }

    /** Writes NAME.svg and NAME.png. */
    public void write(String name, Plot plot) throws IOException {
        Chart<?, ?> chart = plot.draw();
        String file = folder.resolve(name).toString();
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
        BitmapEncoder.saveBitmap(chart, file, BitmapFormat.PNG);
    }
}
