/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An element and the place where it stands in the text of its document.
 *
 * @param name its name without a prefix
 * @param attributes their values by their names, without escapes
 * @param children the elements in it
 * @param text the characters in it that belong to no child
 * @param place where it stands
 */
record XmlElement(String name, Map<String, String> attributes, List<XmlElement> children, String text, Place place) {
    /**
     * Offsets into the text. The content stands between contentStart and contentEnd; both are end if the element is
     * {@code <empty/>}.
     */
    record Place(int start, int contentStart, int contentEnd, int end) {}

    List<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name.equals(child)).toList();
    }

    Optional<XmlElement> first(String child) {
        return all(child).stream().findFirst();
    }

    String attribute(String attribute) {
        return attributes.getOrDefault(attribute, "");
    }

    boolean isEmptyTag() {
        return place.contentStart() == place.end();
    }
}
