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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Finds elements in the text of an XML document, so that the text can be edited and all that is not edited stays as it
 * is. Whether the text is XML at all is judged by the JDK's parser first.
 */
final class XmlText {
    private static final Pattern MARKUP = Pattern.compile(
            "<!--.*?-->|<!\\[CDATA\\[.*?]]>|<\\?.*?\\?>"
                    + "|<(/?)([^\\s/>!]+)((?:[^>\"'/]++|\"[^\"]*\"|'[^']*'|/(?!>))*+)(/?)>",
            Pattern.DOTALL);
    private static final Pattern ATTRIBUTE = Pattern.compile("([^\\s=]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable XmlElement root;

    /** An element whose end has not been seen. */
    private record Open(
            String name, Map<String, String> attributes, List<XmlElement> children, int start, int contentStart) {
        XmlElement closed(int contentEnd, int end) {
            return new XmlElement(
                    name,
                    attributes,
                    List.copyOf(children),
                    new XmlElement.Place(start, contentStart, contentEnd, end));
        }
    }

    private XmlText() {}

    /**
     * The root element.
     *
     * @throws UnusableInstanceException if the text is not well-formed
     */
    static XmlElement root(String text, String file) {
        requireWellFormed(text, file);
        XmlText scan = new XmlText();
        Matcher markup = MARKUP.matcher(text);
        while (markup.find()) {
            if (markup.group(2) != null) {
                scan.tag(markup);
            }
        }
        XmlElement root = scan.root;
        if (root == null) {
            throw new UnusableInstanceException(file + ": has no element");
        }
        return root;
    }

    private void tag(Matcher tag) {
        if (!tag.group(1).isEmpty()) {
            add(open.pop().closed(tag.start(), tag.end()));
            return;
        }
        String name = tag.group(2);
        Open opened = new Open(
                name.substring(name.indexOf(':') + 1),
                attributes(tag.group(3)),
                new ArrayList<>(),
                tag.start(),
                tag.end());
        if (tag.group(4).isEmpty()) {
            open.push(opened);
        } else {
            add(opened.closed(tag.end(), tag.end()));
        }
    }

    private void add(XmlElement element) {
        Open parent = open.peek();
        if (parent == null) {
            root = element;
        } else {
            parent.children().add(element);
        }
    }

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(text);
        while (attribute.find()) {
            attributes.put(attribute.group(1), attribute.group(2) == null ? attribute.group(3) : attribute.group(2));
        }
        return Map.copyOf(attributes);
    }

    /** Document types are refused: they could hide text from the scan, and pull in other files. */
    private static void requireWellFormed(String text, String file) {
        try {
            SAXParserFactory factory = SAXParserFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.newSAXParser().parse(new InputSource(new StringReader(text)), new DefaultHandler());
        } catch (SAXParseException e) {
            throw new UnusableInstanceException(file + ": not XML that can be edited, line " + e.getLineNumber()
                    + " column " + e.getColumnNumber() + ": " + e.getMessage());
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new UnusableInstanceException(file + ": not XML that can be edited: " + e.getMessage());
        }
    }

    /** The text as it stands in an attribute in double quotes, or between tags. */
    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    /** The opposite of {@link #escape}, also where somebody else escaped more. */
    static String unescape(String text) {
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }
}
