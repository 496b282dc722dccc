/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The directions between the packages of this module. */
final class ArchitectureTest {
    private static final String ROOT = "org.signetmq.keystore";
    private static final int MOST_TYPES = 20;

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** From the top to the bottom: a package imports only packages that stand behind it. */
    private static final List<String> ORDER = List.of(
            ".home",
            ".internal.folder",
            ".trust",
            ".internal.names",
            ".internal.x509",
            ".epoch",
            ".crypto",
            ".file",
            ".internal.file",
            "");

    static Stream<String> packages() {
        return MAIN.stream().map(JavaClass::getPackageName).distinct().map(name -> name.substring(ROOT.length()));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void package_importsOnlyThoseBelowIt(String name) {
        assertThat(ORDER).contains(name);

        noClasses()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ORDER.subList(0, ORDER.indexOf(name)).stream()
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
