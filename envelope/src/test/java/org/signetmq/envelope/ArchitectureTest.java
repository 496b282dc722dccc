/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.QualityOfProtection;

/** The directions between the packages of this module. */
final class ArchitectureTest {
    private static final String ROOT = "org.signetmq.envelope";
    private static final int MOST_TYPES = 20;

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** The packages that each package imports at most. */
    private static final Map<String, List<String>> IMPORTS = Map.ofEntries(
            Map.entry(".exception", List.of()),
            Map.entry(".internal.format", List.of(".exception")),
            Map.entry(".message", List.of(".exception", ".internal.format")),
            Map.entry(".internal.der", List.of(".exception", ".internal.format")),
            Map.entry(".internal.entity", below(".internal.der")),
            Map.entry(".internal.cms", below(".internal.der")),
            Map.entry(".internal.recipient", below(".internal.der", ".internal.cms")),
            Map.entry(".internal.codec", below(".internal.der", ".internal.entity", ".internal.recipient")),
            Map.entry(".internal.signature", below(".internal.der", ".internal.cms", ".internal.codec")),
            Map.entry(".internal.seal", below(facilities())),
            Map.entry(".internal.open", below(facilities())),
            Map.entry(
                    "",
                    Stream.concat(below(facilities()).stream(), Stream.of(".internal.seal", ".internal.open"))
                            .toList()));

    private static String[] facilities() {
        return new String[] {
            ".internal.der",
            ".internal.entity",
            ".internal.cms",
            ".internal.recipient",
            ".internal.codec",
            ".internal.signature"
        };
    }

    private static List<String> below(String... packages) {
        return Stream.concat(Stream.of(".exception", ".internal.format", ".message"), Arrays.stream(packages))
                .toList();
    }

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
                .filteredOn(
                        type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .hasSizeBetween(1, MOST_TYPES);
    }

    /** The structure alone maps a quality; other code asks the structure. */
    @Test
    void qualities_areComparedByTheirStructureAlone() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.EnvelopeStructure(\\$.*)?")
                .should()
                .accessField(QualityOfProtection.class, "NONE")
                .orShould()
                .accessField(QualityOfProtection.class, "INTEGRITY")
                .orShould()
                .accessField(QualityOfProtection.class, "PRIVACY")
                .orShould()
                .accessField(QualityOfProtection.class, "CONFIDENTIALITY")
                .orShould()
                .callMethod(QualityOfProtection.class, "signs")
                .orShould()
                .callMethod(QualityOfProtection.class, "encrypts")
                .orShould()
                .callMethod(QualityOfProtection.class, "protectsNoLessThan", QualityOfProtection.class)
                .check(MAIN);
    }
}
