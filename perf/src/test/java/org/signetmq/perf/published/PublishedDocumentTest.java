/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.statistics.ReuseLaw;
import org.signetmq.perf.statistics.ReuseLaw.Point;

/** The figures, and the conclusions that the documents draw from them. */
final class PublishedDocumentTest {
    private static final PublishedDocument AMS = PublishedDocument.ams();
    private static final PublishedDocument APPLIANCE = PublishedDocument.amsAppliance();
    private static final PublishedDocument FILE_SYSTEM = PublishedDocument.encryptedFileSystem();
    private static final double CORES = 48;

    @ParameterizedTest
    @CsvSource({
        "figure-1, 4, 9",
        "figure-1-cpu, 4, 1",
        "figure-2, 4, 13",
        "figure-2-cpu, 4, 1",
        "figure-3, 11, 11",
        "figure-4, 2, 13",
        "figure-4-cpu, 2, 13"
    })
    void figuresOfAms_haveTheirCurvesAndPoints(String figure, int curves, int points) {
        assertCounts(AMS.figure(figure), curves, points);
    }

    @ParameterizedTest
    @CsvSource({
        "shared-queues, 4, 1",
        "shared-queues-cpu, 4, 1",
        "dedicated-queues, 4, 1",
        "small-buffer, 1, 2",
        "size, 1, 1"
    })
    void figuresOfTheAppliance_haveTheirCurvesAndPoints(String figure, int curves, int points) {
        assertCounts(APPLIANCE.figure(figure), curves, points);
    }

    @ParameterizedTest
    @CsvSource({"latency, 4, 4", "throughput, 8, 4", "peaks, 2, 8", "losses, 3, 8"})
    void figuresOfTheFileSystem_haveTheirCurvesAndPoints(String figure, int curves, int points) {
        assertCounts(FILE_SYSTEM.figure(figure), curves, points);
    }

    private static void assertCounts(PublishedFigure figure, int curves, int points) {
        assertThat(figure.curves())
                .hasSize(curves)
                .allSatisfy(curve -> assertThat(curve.x()).hasSize(points));
    }

    @Test
    void documents_haveNoOtherFigures_andNameTheirSource() {
        assertThat(AMS.figures()).hasSize(7);
        assertThat(APPLIANCE.figures()).hasSize(5);
        assertThat(FILE_SYSTEM.figures()).hasSize(4);
        assertThat(Stream.of(AMS, APPLIANCE, FILE_SYSTEM))
                .allSatisfy(
                        document -> assertThat(document.source()).contains(".pdf in github.com/ibm-messaging/mqperf"))
                .allSatisfy(document -> assertThat(document.reading()).endsWith("."));
    }

    @Test
    void oneQueue_confidentialityIs14PercentBelowNone_andThreeTimesPrivacy() {
        PublishedFigure figure = AMS.figure("figure-1");

        assertThat(ratio(figure, "confidentiality.32", "none", 81)).isCloseTo(0.86, within(0.005));
        assertThat(ratio(figure, "confidentiality.32", "privacy", 81)).isCloseTo(3.23, within(0.005));
    }

    @Test
    void manyQueues_confidentialityIsHalfOfNone_andFourTimesPrivacy() {
        PublishedFigure figure = AMS.figure("figure-2");

        assertThat(ratio(figure, "confidentiality.32", "none", 241)).isCloseTo(0.451, within(0.0005));
        assertThat(ratio(figure, "confidentiality.32", "privacy", 241)).isCloseTo(3.94, within(0.005));
        assertThat(Collections.max(figure.curve("confidentiality.32").y()))
                .as("the peak is just over 27,000")
                .isBetween(27_000.0, 27_100.0);
    }

    @ParameterizedTest
    @CsvSource({"none, 0.20, 0.005", "integrity, 4.2, 0.05", "privacy, 6.1, 0.05", "confidentiality.32, 1.67, 0.005"})
    void manyQueues_haveTheDerivedProcessorTimesOfClients(String quality, double millis, double error) {
        double percent = AMS.figure("figure-2-cpu").curve(quality).at(241);

        assertThat(CORES * percent / 100 / AMS.figure("figure-2").curve(quality).at(241) * 1_000)
                .isCloseTo(millis, within(error));
    }

    @ParameterizedTest
    @CsvSource({
        "none, 1.08", "confidentiality.64, 0.97", "confidentiality.32, 0.95", "confidentiality.16, 0.92",
        "confidentiality.8, 0.85", "confidentiality.4, 0.73", "confidentiality.2, 0.58", "confidentiality.1, 0.45",
        "confidentiality.0, 0.26", "privacy, 0.12"
    })
    void dedicatedQueues_haveTheDerivedSharesOfUnlimitedReuse(String quality, double share) {
        assertThat(ratio(AMS.figure("figure-3"), quality, "confidentiality.unlimited", 21))
                .isCloseTo(share, within(0.005));
    }

    @Test
    void dedicatedQueues_followTheLawOfKeyReuse() {
        List<Point> points = Stream.of(1, 2, 4, 8, 16, 32, 64)
                .map(uses -> new Point(
                        1.0 / uses,
                        21
                                / AMS.figure("figure-3")
                                        .curve("confidentiality." + uses)
                                        .at(21)
                                * 1_000))
                .toList();

        ReuseLaw law = ReuseLaw.fit(points);

        assertThat(law.unlimited()).isCloseTo(0.98, within(0.005));
        assertThat(law.perKey()).isCloseTo(1.16, within(0.005));
        assertThat(law.r2()).isCloseTo(0.991, within(0.0005));
    }

    @Test
    void smallBuffer_peaksAt41Clients_andFallsTo23PercentOfTheLargeOne() {
        PublishedFigure figure = AMS.figure("figure-4");
        PublishedCurve small = figure.curve("buffer.2KB");

        assertThat(small.at(41)).isEqualTo(Collections.max(small.y()));
        assertThat(ratio(figure, "buffer.2KB", "buffer.20KB", 241)).isCloseTo(0.23, within(0.005));
    }

    @Test
    void appliance_hasTheDerivedRatios() {
        PublishedFigure dedicated = APPLIANCE.figure("dedicated-queues");
        PublishedCurve buffers = APPLIANCE.figure("small-buffer").curve("protected");

        assertThat(ratio(dedicated, "confidentiality.32", "tls", 200)).isCloseTo(1.72, within(0.005));
        assertThat(ratio(dedicated, "confidentiality.32", "privacy", 200)).isGreaterThan(20);
        assertThat(buffers.at(1) / buffers.at(2)).isCloseTo(0.17, within(0.005));
        assertThat(APPLIANCE.figure("size").curve("privacy").at(2048) - 2048).isEqualTo(1358);
        assertThat(ratio(APPLIANCE.figure("shared-queues"), "tls.no-reset", "confidentiality.32", 200))
                .as("on shared queues TLS is faster")
                .isGreaterThan(1.8);
    }

    @ParameterizedTest
    @CsvSource({
        "1-qm.A, 1",
        "1-qm.B, 2",
        "10-qm.A, 3",
        "10-qm.B, 4",
        "1-ha.A, 5",
        "1-ha.B, 6",
        "10-ha.A, 7",
        "10-ha.B, 8"
    })
    void lossesOf2KbMessages_areTheWorstPointsOfTheirFigure(String scenario, int figure) {
        PublishedFigure losses = FILE_SYSTEM.figure("losses");
        double published = FILE_SYSTEM.figure("throughput").curve(scenario).at(2048);

        assertThat(losses.curve("published").at(figure)).isEqualTo(published);
        assertThat(losses.curve("worst-point-read").at(figure)).isCloseTo(published, within(1.0));
        PublishedFigure peaks = FILE_SYSTEM.figure("peaks");
        assertThat(100 * (ratio(peaks, "encrypted", "default", figure) - 1))
                .isCloseTo(losses.curve("peak").at(figure), within(0.6));
    }

    @Test
    void unknownFigure_unknownCurve_andUnknownPoint_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AMS.figure("figure-9"))
                .withMessageStartingWith("figure: 'figure-9' is not there, only [figure-1, ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AMS.figure("figure-1").curve("tls"))
                .withMessage("curve: 'tls' is not in figure 'figure-1',"
                        + " only [none, integrity, privacy, confidentiality.32]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AMS.figure("figure-2-cpu").curve("none").at(1))
                .withMessage("curve 'none': no value at 1.0, only at [241.0]");
    }

    @Test
    void curveWithoutPoints_withoutSomeY_orWithDescendingX_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PublishedCurve("a", List.of(), List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublishedCurve("a", List.of(1.0, 2.0), List.of(1.0)))
                .withMessage("curve 'a': must have a y for each x, found 1 for 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublishedCurve("a", List.of(2.0, 1.0), List.of(1.0, 1.0)))
                .withMessage("curve 'a': x must ascend, found [2.0, 1.0]");
    }

    private static double ratio(PublishedFigure figure, String over, String under, double x) {
        return figure.curve(over).at(x) / figure.curve(under).at(x);
    }
}
