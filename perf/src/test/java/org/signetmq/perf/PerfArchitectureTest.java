/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The directions between the packages of this module. */
final class PerfArchitectureTest {
    private static final String ROOT = "org.signetmq.perf";
    private static final int MOST_TYPES = 20;

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("jmh_generated"))
            .importPackages(ROOT);

    /** The packages that each package imports at most. */
    private static final Map<String, List<String>> IMPORTS = Map.ofEntries(
            Map.entry(".result", List.of()),
            Map.entry(".variant", List.of()),
            Map.entry(".statistics", List.of()),
            Map.entry(".published", List.of()),
            Map.entry(".ams", List.of(".variant")),
            Map.entry(".primitive", List.of(".result", ".variant")),
            Map.entry(".micro", List.of(".primitive", ".result", ".statistics", ".variant")),
            Map.entry(".upload", List.of(".variant")),
            Map.entry(".keys", List.of(".result", ".statistics", ".upload")),
            Map.entry(".digest", List.of(".result")),
            Map.entry(".broker", List.of()),
            Map.entry(".process", List.of(".result")),
            Map.entry(".trace", List.of()),
            Map.entry(".setting", List.of(".result", ".upload", ".variant")),
            Map.entry(".clients", List.of(".ams", ".process", ".result", ".setting", ".upload", ".variant")),
            Map.entry(
                    ".pair", List.of(".broker", ".clients", ".process", ".result", ".setting", ".upload", ".variant")),
            Map.entry(
                    ".rr", List.of(".broker", ".pair", ".primitive", ".result", ".setting", ".statistics", ".variant")),
            Map.entry(".mailbox", List.of(".pair", ".result", ".rr", ".setting", ".statistics", ".upload", ".variant")),
            Map.entry(".figure", List.of(".published", ".result", ".rr", ".setting", ".statistics", ".variant")),
            Map.entry(
                    ".filesystem",
                    List.of(".broker", ".pair", ".published", ".result", ".rr", ".setting", ".trace", ".variant")),
            Map.entry(
                    ".report",
                    List.of(".digest", ".figure", ".filesystem", ".keys", ".mailbox", ".micro", ".result", ".rr")),
            Map.entry(
                    "",
                    List.of(
                            ".result",
                            ".micro",
                            ".keys",
                            ".digest",
                            ".rr",
                            ".figure",
                            ".mailbox",
                            ".filesystem",
                            ".report")));

    static Stream<String> packages() {
        return MAIN.stream().map(JavaClass::getPackageName).distinct().map(name -> name.substring(ROOT.length()));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void package_importsOnlyThoseBelowIt(String name) {
        List<String> allowed = Objects.requireNonNull(IMPORTS.get(name), () -> "no rule for package " + name);

        noClasses()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages()
                        .filter(other -> !other.equals(name) && !allowed.contains(other))
                        .map(ROOT::concat)
                        .toArray(String[]::new))
                .check(MAIN);
    }

    /** Without a cycle between packages there is no cycle between types of different packages. */
    @Test
    void packages_haveNoCycle() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return type.getPackageName().startsWith(ROOT)
                                ? SliceIdentifier.of(type.getPackageName())
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(MAIN);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void package_isSmallAndDescribed(String name) {
        JavaPackage room = MAIN.getPackage(ROOT + name);

        assertThat(room.tryGetPackageInfo()).isPresent();
        assertThat(room.getClasses())
                .filteredOn(type -> type.isTopLevelClass()
                        && !type.isArray()
                        && !type.getSimpleName().equals("package-info"))
                .hasSizeBetween(1, MOST_TYPES);
    }
}
