/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1BMPString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1GeneralString;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1NumericString;
import org.bouncycastle.asn1.ASN1PrintableString;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1T61String;
import org.bouncycastle.asn1.ASN1UTF8String;
import org.bouncycastle.asn1.ASN1VisibleString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.signetmq.policy.text.Quoted;

/**
 * A distinguished name for comparison. Two names are equal if they have the same attributes. The order of the RDNs and
 * the case of ASCII letters do not count. All else is compared by code points.
 *
 * @param attributes the RDNs, sorted; each is a sorted list of {@code oid=value}
 */
public record DistinguishedName(List<List<String>> attributes) {
    private static final int MAX_TEXT = 2048;

    /**
     * Letters, marks and symbols without ink, in order: joiners, fillers, variation selectors, blanks, and what stands
     * for an object or a character that could not be read. The ranges of variation selectors are not among them.
     */
    private static final int[] INKLESS = {0x303f, 0xfffc, 0xfffd, 0x1107f, 0x16fe4};

    /** The keywords of attributes that are usual in names, although the RFC has none for them. */
    private static final Map<String, String> KEYWORDS = Map.of(
            BCStyle.E.getId(), "emailAddress",
            BCStyle.SERIALNUMBER.getId(), "serialNumber");

    /** Returns the name of RFC 4514 text; empty if it is no name. */
    public static Optional<DistinguishedName> parse(String text) {
        return encoded(text).map(DistinguishedName::of);
    }

    /** Returns the normalised RDNs of RFC 4514 text, in the order of a certificate; empty if it is no name. */
    public static Optional<List<List<String>>> parseOrdered(String text) {
        return encoded(text).map(DistinguishedName::ordered);
    }

    /** Returns the encoding of a name. A name that does not print stands for none. */
    private static Optional<X500Name> encoded(String text) {
        try {
            return Optional.of(text)
                    .filter(DistinguishedName::prints)
                    .map(DistinguishedName::encode)
                    .filter(DistinguishedName::prints);
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

    /** Returns the name of the subject of a certificate for comparison. */
    public static DistinguishedName of(X509Certificate certificate) {
        return of(certificate.getSubjectX500Principal());
    }

    private static DistinguishedName of(X500Name name) {
        return sorted(ordered(name));
    }

    private static DistinguishedName sorted(List<List<String>> ordered) {
        return new DistinguishedName(ordered.stream()
                .sorted((one, other) -> one.toString().compareTo(other.toString()))
                .toList());
    }

    /**
     * Returns a form that this name shares with names that look like it. In this form case, spaces, compatibility forms
     * and characters that do not print do not count. It shows that a name is taken, and never that a name is right.
     */
    public DistinguishedName folded() {
        return sorted(folded(attributes));
    }

    /** Returns the RDNs of a name in the form of {@link #folded()}, in the order of its encoding. */
    public static List<List<String>> foldedOrder(X500Name name) {
        return folded(ordered(name));
    }

    private static List<List<String>> folded(List<List<String>> rdns) {
        return rdns.stream()
                .map(rdn -> rdn.stream().map(DistinguishedName::folded).sorted().toList())
                .toList();
    }

    private static String folded(String attribute) {
        int value = attribute.indexOf('=') + 1;
        StringBuilder printed = new StringBuilder();
        Normalizer.normalize(attribute.substring(value), Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .map(c -> Character.isWhitespace(c) ? ' ' : c)
                .filter(DistinguishedName::prints)
                .forEach(printed::appendCodePoint);
        return attribute.substring(0, value) + printed.toString().strip().replaceAll(" +", " ");
    }

    /**
     * Tells whether a name may be shown. It must not be empty. Each character must print, and none may be a
     * compatibility form of another one. Similar letters of different alphabets are allowed.
     */
    public static boolean isReadable(X500Principal principal) {
        String text = text(principal);
        return !text.isEmpty()
                && Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                && prints(text)
                && prints(X500Name.getInstance(principal.getEncoded()));
    }

    /** Returns the name as RFC 4514 text, with the keywords that {@link #parse} knows beside those of the RFC. */
    public static String text(X500Principal principal) {
        return principal.getName(X500Principal.RFC2253, KEYWORDS);
    }

    /** Returns the name of the subject of a certificate as {@link #text(X500Principal)} does. */
    public static String text(X509Certificate certificate) {
        return text(certificate.getSubjectX500Principal());
    }

    /** Returns the name of the subject of a certificate as {@link #shown(X500Principal)} does. */
    public static String shown(X509Certificate certificate) {
        return shown(certificate.getSubjectX500Principal());
    }

    /**
     * Returns the name as RFC 4514 text for people. A backslash and two hexadecimal digits stand for each byte (UTF-8)
     * of a character that does not print.
     */
    public static String shown(X500Principal principal) {
        StringBuilder shown = new StringBuilder();
        text(principal).codePoints().forEach(character -> {
            if (prints(character)) {
                shown.appendCodePoint(character);
            } else {
                for (byte octet : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
                    shown.append('\\').append(HexFormat.of().withUpperCase().toHexDigits(octet));
                }
            }
        });
        return shown.toString();
    }

    /**
     * Returns the first character that makes {@link #isReadable} reject a name. Empty if it accepts the name, or if the
     * name is empty.
     */
    public static OptionalInt firstUnreadable(X500Principal principal) {
        String text = text(principal);
        OptionalInt hidden = Stream.concat(Stream.of(text), values(X500Name.getInstance(principal.getEncoded())))
                .flatMapToInt(String::codePoints)
                .filter(character -> !prints(character))
                .findFirst();
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

    private static Stream<String> values(X500Name name) {
        return ordered(name).stream().flatMap(List::stream);
    }

    private static boolean prints(X500Name name) {
        return values(name).allMatch(DistinguishedName::prints);
    }

    private static boolean prints(String text) {
        return text.codePoints().allMatch(DistinguishedName::prints);
    }

    /** Tells whether a character leaves ink, or is the one blank that every keyboard has. */
    private static boolean prints(int character) {
        return !Quoted.isHidden(character) && Arrays.binarySearch(INKLESS, character) < 0;
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

    /**
     * Encodes the distinguished name of a new certificate.
     *
     * @throws KeystoreUnusableException if the text is no name, or the name cannot be shown
     */
    public static X500Name encodeReadable(String text) {
        try {
            X500Name name = encode(text);
            if (!isReadable(new X500Principal(name.getEncoded()))) {
                throw new KeystoreUnusableException("dn: has characters that are invisible or ambiguous");
            }
            return name;
        } catch (IOException | IllegalArgumentException e) {
            throw new KeystoreUnusableException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean hasValue(AttributeTypeAndValue attribute) {
        ASN1Encodable value = attribute.getValue(); // the parser returns null for "CN=#"
        return value != null && !value(value).isBlank();
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
        try {
            return text(value)
                    .map(DistinguishedName::asciiLower)
                    .map(text -> text.startsWith("#") ? "\\" + text : text) // else it would equal an encoding
                    .orElseGet(() -> encoding(value));
        } catch (IllegalArgumentException undecodable) {
            return encoding(value);
        }
    }

    /** Returns the text of a value, if all readers decode it alike. */
    private static Optional<String> text(ASN1Encodable value) {
        if (value instanceof ASN1UTF8String || value instanceof ASN1BMPString || value instanceof ASN1T61String) {
            return Optional.of(((ASN1String) value).getString());
        }
        boolean isAscii = value instanceof ASN1PrintableString
                || value instanceof ASN1IA5String
                || value instanceof ASN1NumericString
                || value instanceof ASN1VisibleString
                || value instanceof ASN1GeneralString;
        return isAscii
                ? Optional.of(((ASN1String) value).getString())
                        .filter(text -> text.chars().allMatch(c -> c < 0x80))
                : Optional.empty();
    }

    private static String asciiLower(String text) {
        StringBuilder lower = new StringBuilder(text);
        for (int i = 0; i < lower.length(); i++) {
            char c = lower.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                lower.setCharAt(i, (char) (c + ('a' - 'A')));
            }
        }
        return lower.toString();
    }

    private static String encoding(ASN1Encodable value) {
        try {
            return "#" + HexFormat.of().formatHex(value.toASN1Primitive().getEncoded(ASN1Encoding.DER));
        } catch (IOException e) {
            throw new IllegalArgumentException("dn: an attribute cannot be encoded", e);
        }
    }
}
