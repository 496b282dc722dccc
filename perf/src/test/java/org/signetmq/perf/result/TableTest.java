/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;
import org.signetmq.perf.result.Table.Column;

final class TableTest {
    private static final Table<Result> TABLE = new Table<>(
            Table.text("name", "%-8s", "name"),
            Table.number("rate", "%8.2f", "rate"),
            Table.number("share", "%7.3f", "share", ""));

    @Test
    void columns_haveTheirWidth_andStandUnderTheirHeadings() {
        Result row = row("seal").with("rate", 12.345).with("share", 0.5);

        assertThat(lines(row)).containsExactly("name         rate   share", "seal        12.35   0.500");
    }

    @Test
    void missingNumber_isNaN_orEmptyWhereItMayBeMissing() {
        assertThat(lines(row("open")).get(1)).isEqualTo("open          NaN        ");
    }

    @Test
    void textInPlaceOfANumber_keepsTheWidthOfItsColumn() {
        Table<Result> rates =
                new Table<>(new Column<>("rate", "%10.1f", row -> Table.numberOr(row.number("rate"), "unsteady")));

        String printed = Golden.printed(out -> rates.print(List.of(row("a"), row("b").with("rate", 7.0)), out));

        assertThat(printed.lines()).containsExactly("      rate", "  unsteady", "       7.0");
    }

    @Test
    void noRows_printHeadingsAlone() {
        assertThat(lines()).containsExactly("name         rate   share");
    }

    @Test
    void number_hasAPointInEveryLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(lines(row("seal").with("rate", 1.5)).get(1)).contains(" 1.50 ");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void wholeNumber_standsInAColumnOfTexts() {
        Table<Result> clients = new Table<>(Table.text("clients", "%7d", "clients"));

        String printed = Golden.printed(out -> clients.print(List.of(row("a").with("clients", 32), row("b")), out));

        assertThat(printed.lines()).containsExactly("clients", "     32", "       ");
    }

    private static List<String> lines(Result... rows) {
        return Golden.printed(out -> TABLE.print(List.of(rows), out)).lines().toList();
    }

    private static Result row(String name) {
        return Result.EMPTY.with("name", name);
    }
}
