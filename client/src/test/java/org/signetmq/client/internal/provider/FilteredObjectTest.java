/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.Objects;
import org.signetmq.testkit.Run;

final class FilteredObjectTest {
    @Test
    void basicClasses_areRead() throws Exception {
        ArrayList<Object> basic = new ArrayList<>(List.of("text", 7, new BigDecimal("1.5"), new int[] {1}));

        assertThat(new FilteredObject(Objects.serialized(basic)).object())
                .usingRecursiveComparison()
                .isEqualTo(basic);
    }

    @Test
    void objectsOfEveryForm_areRead() throws Exception {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("date", LocalDate.of(2026, 1, 2));
        row.put("instant", Instant.EPOCH);
        row.put("day", DayOfWeek.MONDAY);
        row.put("number", new BigInteger("12345678901234567890"));
        row.put("class", Integer[].class);
        row.put("bits", BitSet.valueOf(new long[] {5}));
        row.put("uuid", new UUID(1, 2));
        row.put("days", new EnumMap<>(Map.of(DayOfWeek.FRIDAY, "f")));
        row.put("set", new TreeSet<>(Set.of("a", "b")));
        row.put("fixed", Collections.unmodifiableList(Arrays.asList("x", null)));
        row.put("immutable", Map.of("k", List.of(1.5f, 2L, 'c', (byte) 1, (short) 2, true)));
        row.put("text", "y".repeat(70_000));
        row.put("arrays", new Object[] {new byte[3], new long[2], new boolean[1], new char[1], new String[][] {{"z"}}});
        ArrayList<Object> rows = new ArrayList<>(Collections.nCopies(1000, row));
        rows.add(new HashSet<>(Set.of(1, 2, 3)));
        rows.add(rows);

        List<?> read = (List<?>) requireNonNull(new FilteredObject(Objects.serialized(rows)).object());

        assertThat(read.size()).isEqualTo(1002);
        assertThat((Object) read.get(999)).usingRecursiveComparison().isEqualTo(row);
    }

    /** Each collection holds those below, so that a hash code visits the width to the power of the depth. */
    @ParameterizedTest
    @CsvSource({"2, 25, nested", "2, 50, nested", "2, 40, from below", "12, 9, nested", "2, 28, lists"})
    @Timeout(10)
    void collectionsThatShareTheirElements_areRejectedBeforeTheyAreHashed(int width, int depth, String form)
            throws Exception {
        List<Collection<Object>> above = List.of(new HashSet<>());
        HashSet<Object> top = new HashSet<>(above);
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            List<Collection<Object>> here = new ArrayList<>();
            for (int k = 0; k < width; k++) {
                Collection<Object> made = form.equals("lists") && i > 0 ? new ArrayList<>() : new HashSet<>();
                made.add(k);
                here.add(made);
            }
            if (i == 0) {
                top = new HashSet<>(here);
            } else {
                above.forEach(each -> each.addAll(here)); // each is small yet, so this costs little
            }
            all.addAll(here);
            above = here;
        }
        Collections.reverse(all);
        byte[] serialized = Objects.serialized(form.equals("from below") ? new ArrayList<>(all) : top);

        assertThatThrownBy(() -> new FilteredObject(serialized).object())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("InvalidObjectException");
    }

    /** While the set of a level is read, its visits are unknown; an array within it ends the recursion of its hash. */
    @Test
    @Timeout(60)
    void setsThatReferToThemselvesThroughArrays_areRejected() throws Exception {
        List<Object> all = new ArrayList<>();
        Set<Object> below = Set.of();
        for (int level = 0; level < 10; level++) {
            Object[] array = new Object[1];
            Set<Object> outer = new HashSet<>(Set.of((Object) array));
            Set<Object> inner = new HashSet<>();
            inner.add(outer);
            array[0] = inner;
            for (int i = 0; i < 2; i++) {
                outer.add(new HashSet<>(List.of(below, i)));
            }
            all.add(outer);
            below = inner;
        }
        byte[] serialized = Objects.serialized(all.toArray());

        assertThatThrownBy(() -> new FilteredObject(serialized).object())
                .hasMessageContaining("InvalidObjectException");
    }

    /** ObjectInputStream would read each in another way than a reader that loads no class. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "73 72 0001 41 0000000000000001 02 0000 78 71 007E0000", // its own superclass
                "75 72 0002 5842 0000000000000001 02 0000 78 70 00000002 7070", // an array without a bracket
                "75 72 0003 5B4258 0000000000000001 02 0000 78 70 00000002 7070", // an array of bytes and more
                "73 72 0001 41 0000000000000001 02 8001 78 70", // a negative number of fields
                "73 72 0001 41 0000000000000001 00 0000 78 70", // neither of the two kinds
                "73 72 0001 41 0000000000000001 06 0000 78 70", // both
                "73 72 0001 41 0000000000000001 02 0000 78 72 0001 42 0000000000000001 0C 0000 78 70 78", // above
                "73 72 0001 41 0000000000000001 02 0001 4C 0001 61 73 72 0001 42 0000000000000001 02 0000 78 70 78 70",
                "73 70"
            })
    @Timeout(10)
    void ambiguousStreams_areRejectedBeforeTheyAreRead(String content) {
        byte[] serialized = HexFormat.of().parseHex("ACED0005" + content.replace(" ", ""));

        assertThatThrownBy(() -> FilteredObject.SerializedGraph.requireSmall(serialized))
                .isInstanceOf(IOException.class);
    }

    @Test
    @Timeout(10)
    void manyClassesAboveEachOther_areRejected() {
        StringBuilder content = new StringBuilder("ACED0005 73 ");
        for (int i = 0; i < 200; i++) {
            content.append("72 0001 41 0000000000000001 02 0000 78 ");
        }
        byte[] serialized =
                HexFormat.of().parseHex(content.append("70").toString().replace(" ", ""));

        assertThatThrownBy(() -> FilteredObject.SerializedGraph.requireSmall(serialized))
                .isInstanceOf(IOException.class);
    }

    /** Reads an object in a process whose filter allows texts alone. */
    public static final class Reading {
        private Reading() {}

        public static void main(String[] arguments) throws Exception {
            try {
                System.out.println(new FilteredObject(HexFormat.of().parseHex(arguments[0])).object());
            } catch (JMSException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static String readFiltered(Serializable object) throws Exception {
        return Run.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.serialFilter=java.util.ArrayList;java.lang.*;!*",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Reading.class.getName(),
                        HexFormat.of().formatHex(Objects.serialized(object)))
                .out();
    }

    @Test
    void filterOfTheJvm_limitsTheClasses() throws Exception {
        assertThat(readFiltered(new ArrayList<>(List.of("a")))).contains("[a]");
        assertThat(readFiltered(new HashSet<>(List.of("a")))).contains("InvalidClassException");
        assertThat(readFiltered(new ArrayList<>(List.of(new UUID(1, 2))))).contains("InvalidClassException");
    }

    @Test
    void arrayThatIsLongerThanItsBytes_takesNoMemory() throws Exception {
        byte[] bytes = Objects.serialized(new Object[] {"a"});
        int length = bytes.length - 1 - 2 - 1 - 4; // behind it: the tag, length and letter of the text
        bytes[length] = 0;
        bytes[length + 1] = (byte) 0xff;

        assertThatThrownBy(() -> new FilteredObject(bytes).object()).isInstanceOf(JMSException.class);
    }

    @Test
    void classOfAnApplication_isRejected() throws Exception {
        FilteredObject object = new FilteredObject(Objects.serialized(new Objects.Order("pump", 3)));

        assertThatThrownBy(object::object)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("InvalidClassException");
    }

    @Test
    void bytesThatAreNoObject_areRejected() {
        assertThatThrownBy(() -> new FilteredObject(new byte[] {1, 2, 3}).object())
                .isInstanceOf(JMSException.class);
    }
}
