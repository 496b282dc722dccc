/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

/** Places of elements, in documents with everything that moves a parser's count of lines and columns. */
final class XmlElementTest {
    /** Documents are longer than the parser's buffers. */
    private static final int PIECES = 4000;

    private static final List<String> BETWEEN = List.of(
            "<!-- </root> <e0> -->",
            "<![CDATA[ <e1> ]] > ]]>",
            "<?instruction <e2> ?>",
            "text &amp; &#x41; \ud83d\ude00 \u00e9",
            "\t  ",
            "x".repeat(900));

    private final StringBuilder text = new StringBuilder("<?xml version='1.0'?><!-- <root> -->");
    private final List<XmlElement.Place> places = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void elements_areFoundWhereTheyStand(String lineBreak) {
        for (long seed = 0; seed < 5; seed++) {
            text.setLength(0);
            places.clear();
            write(new SplittableRandom(seed), lineBreak);

            XmlElement root = XmlElement.parse(text.toString(), "a file");

            List<XmlElement.Place> found = new ArrayList<>();
            collect(root, found);
            assertThat(found).containsExactlyInAnyOrderElementsOf(places).hasSizeGreaterThan(PIECES / 4);
        }
    }

    private void write(SplittableRandom random, String lineBreak) {
        text.append(lineBreak);
        int rootStart = text.length();
        int rootContent = text.append("<root>").length();
        List<int[]> open = new ArrayList<>();
        for (int i = 0; i < PIECES; i++) {
            switch (random.nextInt(5)) {
                case 0 -> {
                    int start = text.length();
                    String name = "p:e" + i;
                    text.append("<" + name + " a = 'x/>'" + lineBreak + "\tb=\"1 > 2 \u00e9\" xmlns:p='u' >");
                    open.add(new int[] {start, text.length(), i});
                }
                case 1 -> {
                    int start = text.length();
                    int end = text.append("<empty a='1'" + lineBreak + "/>").length();
                    places.add(new XmlElement.Place(start, end, end, end));
                }
                case 2 -> close(open, lineBreak);
                case 3 -> text.append(lineBreak.repeat(random.nextInt(30)));
                default -> text.append(BETWEEN.get(random.nextInt(BETWEEN.size())));
            }
        }
        while (!open.isEmpty()) {
            close(open, "");
        }
        int contentEnd = text.length();
        places.add(new XmlElement.Place(
                rootStart, rootContent, contentEnd, text.append("</root>").length()));
        text.append(lineBreak);
    }

    private void close(List<int[]> open, String lineBreak) {
        if (!open.isEmpty()) {
            int[] last = open.remove(open.size() - 1);
            int contentEnd = text.length();
            int end = text.append("</p:e" + last[2] + lineBreak + ">").length();
            places.add(new XmlElement.Place(last[0], last[1], contentEnd, end));
        }
    }

    private static void collect(XmlElement element, List<XmlElement.Place> places) {
        places.add(element.place());
        element.children().forEach(child -> collect(child, places));
    }

    @Test
    void element_hasNameWithoutPrefix_valuesWithoutEscapes_textWithoutThatOfItsChildren() {
        XmlElement root = XmlElement.parse("<a:b x='&lt;&#x41;&quot;'> c &gt;<d>e</d><![CDATA[<f>]]></a:b>", "a file");

        assertThat(root.name()).isEqualTo("b");
        assertThat(root.attribute("x")).isEqualTo("<A\"");
        assertThat(root.attribute("none")).isEmpty();
        assertThat(root.text()).isEqualTo(" c ><f>");
        assertThat(root.first("d").orElseThrow().text()).isEqualTo("e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<a>",
                "<a></b>",
                "<!DOCTYPE a><a/>",
                "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
                "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a/>",
                "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
                "<!DOCTYPE a [<!ENTITY % e SYSTEM 'file:///etc/passwd'> %e;]><a/>",
                "<a>&e;</a>"
            })
    void documentTypesAndBrokenText_areRejected(String document) {
        assertThatThrownBy(() -> XmlElement.parse(document, "a file"))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageStartingWith("a file: not XML that can be edited");
    }

    /** XML 1.1 ends lines at U+0085, too, which would put all places on the wrong line. */
    @Test
    void lineEndsOfLaterXml_areRejected() {
        assertThatThrownBy(() -> XmlElement.parse("<?xml version='1.1'?>\u0085<a>\u0085<b/></a>", "a file"))
                .isInstanceOf(UnusableInstanceException.class);
    }

    @Test
    void elementsInEachOtherWithoutEnd_areRejected() {
        String document = "<a>".repeat(100_000) + "</a>".repeat(100_000);

        assertThatThrownBy(() -> XmlElement.parse(document, "a file"))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageContaining(", line 1 column 3004: more than 1000 elements in each other");
    }
}
