/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * A distinguished name for comparison. Two names are equal if they have the same attributes; order of the RDNs, case
 * and spacing do not count.
 *
 * @param attributes the RDNs, sorted; each is a sorted list of {@code oid=value}
 */
public record DistinguishedName(List<List<String>> attributes) {
    private static final int MAX_TEXT = 2048;

    /** Returns the name of RFC 4514 text; empty if it is no name. */
    public static Optional<DistinguishedName> parse(String text) {
        return encoded(text).map(DistinguishedName::of);
    }

    /** Returns the normalised RDNs of RFC 4514 text, in the order of a certificate; empty if it is no name. */
    public static Optional<List<List<String>>> parseOrdered(String text) {
        return encoded(text).map(DistinguishedName::ordered);
    }

    private static Optional<X500Name> encoded(String text) {
        try {
            return Optional.of(encode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the normalised RDNs of a name, in the order of the certificate. */
    public static List<List<String>> ordered(X500Principal principal) {
        return ordered(X500Name.getInstance(principal.getEncoded()));
    }

    /** Returns the normalised RDNs of a name, in the order of its encoding. */
    public static List<List<String>> ordered(X500Name name) {
        return Stream.of(name.getRDNs()).map(DistinguishedName::normalised).toList();
    }

    /** Returns the name of a certificate for comparison. */
    public static DistinguishedName of(X500Principal principal) {
        return of(X500Name.getInstance(principal.getEncoded()));
    }

    private static DistinguishedName of(X500Name name) {
        return new DistinguishedName(Stream.of(name.getRDNs())
                .map(DistinguishedName::normalised)
                .sorted((one, other) -> one.toString().compareTo(other.toString()))
                .toList());
    }

    /**
     * Tells whether a name may be shown. It must not be empty. No character may be invisible, change the direction of
     * text, or be a compatibility form of another one. Similar letters of different alphabets are allowed.
     */
    public static boolean isReadable(X500Principal principal) {
        String text = principal.getName();
        return !text.isEmpty()
                && Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                && text.codePoints().noneMatch(DistinguishedName::isHidden);
    }

    /**
     * Returns the first character that makes {@link #isReadable} reject a name. Empty if it accepts the name, or if the
     * name is empty.
     */
    public static OptionalInt firstUnreadable(X500Principal principal) {
        String text = principal.getName();
        OptionalInt hidden =
                text.codePoints().filter(DistinguishedName::isHidden).findFirst();
        if (hidden.isPresent()) {
            return hidden;
        }
        String normal = Normalizer.normalize(text, Normalizer.Form.NFKC);
        int same = 0;
        while (same < Math.min(text.length(), normal.length()) && text.charAt(same) == normal.charAt(same)) {
            same++;
        }
        for (int end = same + 1; end <= text.length(); end++) { // an accent may be what changes the letter before it
            if (!Normalizer.isNormalized(text.substring(0, end), Normalizer.Form.NFKC)) {
                return OptionalInt.of(text.codePointBefore(end));
            }
        }
        return OptionalInt.empty();
    }

    private static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            case Character.SPACE_SEPARATOR -> character != ' ';
            default -> false;
        };
    }

    /**
     * Encodes RFC 4514 text. The text starts with the last RDN, the encoding with the first.
     *
     * @throws IllegalArgumentException if the text stands for no name
     */
    public static X500Name encode(String text) {
        if (text.isBlank() || text.length() > MAX_TEXT) {
            throw new IllegalArgumentException("dn: empty or longer than " + MAX_TEXT + " characters");
        }
        List<RDN> rdns;
        try {
            rdns = new ArrayList<>(Arrays.asList(BCStyle.INSTANCE.fromString(text)));
        } catch (RuntimeException e) {
            // the parser throws index errors for some malformed escapes
            throw new IllegalArgumentException("dn: '" + text + "' is not RFC 4514, such as CN=alice,O=Example", e);
        }
        Collections.reverse(rdns);
        X500Name name = new X500Name(BCStyle.INSTANCE, rdns.toArray(new RDN[0]));
        boolean hasValues =
                rdns.stream().flatMap(rdn -> Stream.of(rdn.getTypesAndValues())).allMatch(DistinguishedName::hasValue);
        if (rdns.isEmpty() || !hasValues) {
            throw new IllegalArgumentException("dn: '" + text + "' has an attribute without a value");
        }
        return name;
    }

    private static boolean hasValue(AttributeTypeAndValue attribute) {
        ASN1Encodable value = attribute.getValue(); // the parser returns null for "CN=#"
        return value != null && !value(value).isEmpty();
    }

    private static List<String> normalised(RDN rdn) {
        return Stream.of(rdn.getTypesAndValues())
                .map(DistinguishedName::normalised)
                .sorted()
                .toList();
    }

    private static String normalised(AttributeTypeAndValue attribute) {
        return attribute.getType().getId() + "=" + value(attribute.getValue());
    }

    private static String value(ASN1Encodable value) {
        if (value instanceof ASN1String string) {
            return string.getString().strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        }
        try {
            return "#" + HexFormat.of().formatHex(value.toASN1Primitive().getEncoded(ASN1Encoding.DER));
        } catch (IOException e) {
            throw new IllegalArgumentException("dn: an attribute cannot be encoded", e);
        }
    }
}
