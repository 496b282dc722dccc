/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

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

/** The directions between the packages of this module, and their imports from other modules. */
final class ArchitectureTest {
    private static final String ROOT = "org.signetmq.interceptor";
    private static final int MOST_TYPES = 20;

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** From the top to the bottom: a package imports only packages that stand behind it. */
    private static final List<String> ORDER = List.of(
            "",
            ".internal.keys",
            ".internal.backlog",
            ".internal.metrics",
            ".internal.gate",
            ".internal.reject",
            ".internal.large",
            ".internal.stream",
            ".internal.storage",
            ".internal.protect",
            ".internal.control",
            ".internal.check",
            ".internal.status",
            ".internal.home",
            ".internal.store",
            ".internal.body",
            ".internal.parse",
            ".internal.audit",
            ".internal.log");

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

    /**
     * A broker may run without artemis-amqp-protocol. Only two kinds of classes may need it: those that the virtual
     * machine loads for AMQP messages, and those that their callers can miss.
     */
    @Test
    void amqp_isKnownToClassesOfItsNameAlone() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.Amqp(Body|Properties|LargeBody|LargeSealing)")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.activemq.artemis.protocol.amqp..", "org.apache.qpid..")
                .check(MAIN);
    }

    /** A broker may run without Micrometer. */
    @Test
    void micrometer_isKnownToOneClassAlone() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.MicrometerMeters(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "org.apache.activemq.artemis.core.server.metrics..")
                .check(MAIN);
    }

    @Test
    void client_cli_andCiphers_areNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.signetmq.client..", "org.signetmq.cli..", "javax.crypto..")
                .check(MAIN);
    }
}
