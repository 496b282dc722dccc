/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * An element of an XML file, with its place in the text, so that the text can be edited. Its name has no prefix, the
 * values of its attributes have no escapes, and its text is what belongs to no child.
 */
record XmlElement(
        String file, String name, Map<String, String> attributes, List<XmlElement> children, String text, Place place) {
    /** The limit for a file together with those that include it. */
    private static final int DEEPEST = 1000;

    /**
     * Offsets into the text. The content stands between contentStart and contentEnd; both are end if the element is
     * {@code <empty/>}.
     */
    record Place(int start, int contentStart, int contentEnd, int end) {}

    interface Replacement {
        /** Returns the elements that stand in place of one at a depth. */
        List<XmlElement> of(XmlElement element, int depth);
    }

    /** @throws UnusableInstanceException if the bytes of the file are not UTF-8 */
    static String decoded(byte[] utf8, String file) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UnusableInstanceException(file + ": not UTF-8, which is all that can be edited");
        }
    }

    /** Parses a text, and replaces no element. Returns the root element. */
    static XmlElement parse(String original, String file) {
        return parse(original, file, 1, (element, depth) -> List.of(element));
    }

    /**
     * Returns the root element of a text, which the JDK's parsers read. Document types are rejected: they pull in other
     * files, and text from elsewhere.
     *
     * @param depth of the root; an element in no other has 1
     * @param replacement of each element but the root
     * @throws UnusableInstanceException if the text is not well-formed, too deep, or has line ends that a parser cannot
     *     count
     */
    static XmlElement parse(String original, String file, int depth, Replacement replacement) {
        // the parsers count no carriage return that stands alone as the end of a line
        String text = original.replaceAll("\r(?!\n)", "\n");
        try {
            // the stream reader can ignore a document type, but not reject it
            SAXParserFactory checking = SAXParserFactory.newDefaultInstance();
            checking.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            checking.newSAXParser().parse(new InputSource(new StringReader(text)), new DefaultHandler());
            XMLInputFactory reading = XMLInputFactory.newDefaultFactory();
            reading.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            reading.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false); // prefixes need no declaration
            XMLStreamReader reader = reading.createXMLStreamReader(new StringReader(text));
            reader.nextTag();
            List<Integer> lineStarts = Pattern.compile("(?dm)^")
                    .matcher(text)
                    .results()
                    .map(MatchResult::start)
                    .toList();
            return new Parser(text, file, replacement, lineStarts, reader).element(depth);
        } catch (SAXException | IOException | ParserConfigurationException | XMLStreamException e) {
            String where = e instanceof SAXParseException at
                    ? ", line " + at.getLineNumber() + " column " + at.getColumnNumber()
                    : "";
            throw new UnusableInstanceException(file + ": not XML that can be edited" + where + ": " + e.getMessage());
        }
    }

    List<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name.equals(child)).toList();
    }

    Optional<XmlElement> first(String child) {
        return all(child).stream().findFirst();
    }

    /** Returns the elements of a name at any depth, itself included, in the order of their start tags. */
    List<XmlElement> allWithin(String wanted) {
        List<XmlElement> found = new ArrayList<>(name.equals(wanted) ? List.of(this) : List.of());
        children.forEach(child -> found.addAll(child.allWithin(wanted)));
        return found;
    }

    String attribute(String attribute) {
        return attributes.getOrDefault(attribute, "");
    }

    boolean isEmptyTag() {
        return place.contentStart() == place.end();
    }

    /** Finds the places of elements by the lines and columns of a reader. */
    private record Parser(
            String text, String file, Replacement replacement, List<Integer> lineStarts, XMLStreamReader reader) {
        /** Returns the element whose start tag was read last, and reads its end tag. */
        private XmlElement element(int depth) throws XMLStreamException, SAXParseException {
            if (depth > DEEPEST) {
                throw here("more than " + DEEPEST + " elements in each other");
            }
            String name = reader.getLocalName();
            Map<String, String> attributes = new HashMap<>();
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
            }
            int contentStart = endOfTag();
            int start = startOfTag("<" + name, contentStart);
            List<XmlElement> children = new ArrayList<>();
            StringBuilder characters = new StringBuilder();
            while (reader.next() != XMLStreamReader.END_ELEMENT) {
                if (reader.isStartElement()) {
                    children.addAll(replacement.of(element(depth + 1), depth + 1));
                } else if (reader.isCharacters()) {
                    characters.append(reader.getText());
                }
            }
            int end = endOfTag();
            int contentEnd = end == contentStart ? end : startOfTag("</" + name, end); // one tag, or two
            Place place = new Place(start, contentStart, contentEnd, end);
            String localName = name.substring(name.indexOf(':') + 1);
            return new XmlElement(file, localName, attributes, children, characters.toString(), place);
        }

        /** Returns the offset behind the tag that was read last. */
        private int endOfTag() {
            int line = Math.min(reader.getLocation().getLineNumber(), lineStarts.size());
            return Math.min(lineStarts.get(line - 1) + reader.getLocation().getColumnNumber() - 1, text.length());
        }

        /** Returns the offset of a tag; no tag has a {@code <} in it. */
        private int startOfTag(String begin, int end) throws SAXParseException {
            int start = text.lastIndexOf('<', end - 1);
            if (!text.startsWith(begin, start) || text.charAt(end - 1) != '>') {
                throw here("line ends that cannot be counted");
            }
            return start;
        }

        /** Returns an exception with the place that the reader has reached. */
        private SAXParseException here(String problem) {
            Location at = reader.getLocation();
            return new SAXParseException(problem, null, null, at.getLineNumber(), at.getColumnNumber());
        }
    }
}
