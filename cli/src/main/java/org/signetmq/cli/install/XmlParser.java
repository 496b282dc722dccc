/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Parses XML by the JDK's parser, and finds the place of each element in the text, so that the text can be edited. */
final class XmlParser extends DefaultHandler {
    private static final int DEEPEST = 1000;

    private final String text;
    private final List<Integer> lineStarts = new ArrayList<>(List.of(0));
    private final Deque<OpenElement> open = new ArrayDeque<>();
    private @Nullable Locator locator;
    private @Nullable XmlElement root;

    /** An element without its end tag yet. */
    private record OpenElement(
            Map<String, String> attributes, List<XmlElement> children, StringBuilder text, int start, int end) {}

    private XmlParser(String text) {
        this.text = text;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
            lineStarts.add(end + 1);
        }
    }

    /**
     * Returns the root element. Document types are rejected: they pull in other files, and text from elsewhere.
     *
     * @throws UnusableInstanceException if the text is not well-formed, or has line ends that the parser cannot count
     */
    static XmlElement parse(String text, String file) {
        // the parser counts no carriage return that stands alone as the end of a line
        XmlParser parser = new XmlParser(text.replaceAll("\r(?!\n)", "\n"));
        try {
            SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.newSAXParser().parse(new InputSource(new StringReader(parser.text)), parser);
        } catch (SAXParseException e) {
            throw new UnusableInstanceException(file + ": not XML that can be edited, line " + e.getLineNumber()
                    + " column " + e.getColumnNumber() + ": " + e.getMessage());
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new UnusableInstanceException(file + ": not XML that can be edited: " + e.getMessage());
        }
        return Objects.requireNonNull(parser.root, "a document has a root");
    }

    @Override
    public void setDocumentLocator(Locator documentLocator) {
        locator = documentLocator;
    }

    @Override
    public void startElement(String uri, String localName, String name, Attributes attributes) throws SAXException {
        if (open.size() >= DEEPEST) {
            throw new SAXParseException("more than " + DEEPEST + " elements in each other", locator);
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < attributes.getLength(); i++) {
            values.put(attributes.getQName(i), attributes.getValue(i));
        }
        int end = endOfTag();
        open.push(new OpenElement(
                Map.copyOf(values), new ArrayList<>(), new StringBuilder(), startOfTag("<" + name, end), end));
    }

    @Override
    public void characters(char[] characters, int start, int length) {
        open.element().text().append(characters, start, length);
    }

    @Override
    public void endElement(String uri, String localName, String name) throws SAXException {
        OpenElement ended = open.pop();
        int end = endOfTag();
        int contentEnd = end == ended.end() ? end : startOfTag("</" + name, end); // one tag, or two
        XmlElement element = new XmlElement(
                name.substring(name.indexOf(':') + 1),
                ended.attributes(),
                List.copyOf(ended.children()),
                ended.text().toString(),
                new XmlElement.Place(ended.start(), ended.end(), contentEnd, end));
        if (open.isEmpty()) {
            root = element;
        } else {
            open.element().children().add(element);
        }
    }

    /** Returns the offset behind the tag that the parser has just read. */
    private int endOfTag() {
        Locator there = Objects.requireNonNull(locator, "the parser has a locator");
        int line = Math.min(there.getLineNumber(), lineStarts.size()) - 1;
        return Math.min(lineStarts.get(line) + there.getColumnNumber() - 1, text.length());
    }

    /** Returns the offset of a tag; no tag has a {@code <} in it. */
    private int startOfTag(String begin, int end) throws SAXException {
        int start = text.lastIndexOf('<', end - 1);
        if (!text.startsWith(begin, start) || text.charAt(end - 1) != '>') {
            throw new SAXParseException("line ends that cannot be counted", locator);
        }
        return start;
    }
}
