/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.published;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A document with figures.
 *
 * @param source the title and the place of the document
 * @param reading how the values come from the document, and their error
 */
public record PublishedDocument(String source, String reading, List<PublishedFigure> figures) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A document as it stands in its resource file. */
    private record Page(String source, String reading, List<Entry> figures) {}

    /** A figure as it stands there: all of its curves have the same x. */
    private record Entry(String name, String x, String y, List<Double> at, Map<String, List<Double>> curves) {
        PublishedFigure figure() {
            return new PublishedFigure(
                    name,
                    x,
                    y,
                    curves.entrySet().stream()
                            .map(curve -> new PublishedCurve(curve.getKey(), at, curve.getValue()))
                            .toList());
        }
    }

    public PublishedDocument {
        figures = List.copyOf(figures);
    }

    /** Returns the performance report of Advanced Message Security: qualities, key reuse, get buffers. */
    public static PublishedDocument ams() {
        return load("ams.json");
    }

    /** Returns the report of Advanced Message Security on the appliance: beside TLS, and on dedicated queues. */
    public static PublishedDocument amsAppliance() {
        return load("ams-appliance.json");
    }

    /** Returns the report of the encrypted file system of the appliance. */
    public static PublishedDocument encryptedFileSystem() {
        return load("encrypted-filesystem.json");
    }

    /**
     * Returns the figure with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public PublishedFigure figure(String wanted) {
        return figures.stream()
                .filter(figure -> figure.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("figure: '" + wanted + "' is not there, only "
                        + figures.stream().map(PublishedFigure::name).toList()));
    }

    private static PublishedDocument load(String resource) {
        try (InputStream bytes =
                Objects.requireNonNull(PublishedDocument.class.getResourceAsStream(resource), resource)) {
            Page page = JSON.readValue(bytes, Page.class);
            return new PublishedDocument(
                    page.source(),
                    page.reading(),
                    page.figures().stream().map(Entry::figure).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("resource: " + resource, e);
        }
    }
}
