/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An element and where it stands in the text. Names are without prefixes.
 *
 * @param name its name
 * @param attributes its attributes, as they are written
 * @param children the elements in it
 * @param place where it stands
 */
record XmlElement(String name, Map<String, String> attributes, List<XmlElement> children, Place place) {
    /**
     * Offsets into the text. What stands between contentStart and contentEnd is the content; both are end if the
     * element is {@code <empty/>}.
     */
    record Place(int start, int contentStart, int contentEnd, int end) {}

    List<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name.equals(child)).toList();
    }

    Optional<XmlElement> first(String child) {
        return all(child).stream().findFirst();
    }

    String content(String text) {
        return text.substring(place.contentStart(), place.contentEnd());
    }

    boolean isEmptyTag() {
        return place.contentStart() == place.end();
    }
}
