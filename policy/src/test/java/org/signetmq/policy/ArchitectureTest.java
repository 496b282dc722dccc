/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The directions between the packages of this module, and their imports from other modules. */
final class ArchitectureTest {
    private static final String ROOT = "org.signetmq.policy";
    private static final int MOST_TYPES = 20;

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** From the top to the bottom: a package imports only packages that stand behind it. */
    private static final List<String> ORDER =
            List.of(".mq", ".file", ".internal.json", "", ".internal.match", ".internal.text");

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

    @ParameterizedTest
    @MethodSource("packages")
    void package_isSmallAndDescribed(String name) throws IOException {
        JavaPackage room = MAIN.getPackage(ROOT + name);
        Path info = Path.of("src/main/java", room.getName().replace('.', '/'), "package-info.java");

        assertThat(Files.readString(info)).contains("/**");
        assertThat(room.getClasses())
                .filteredOn(type -> type.isTopLevelClass()
                        && !type.isArray()
                        && !type.getSimpleName().equals("package-info"))
                .hasSizeBetween(1, MOST_TYPES);
    }

    /** The search can be read and tested without policies. */
    @Test
    void searchAndText_knowNoPolicy() {
        classes()
                .that()
                .resideInAnyPackage(ROOT + ".internal.match", ROOT + ".internal.text")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + ".internal.match",
                        ROOT + ".internal.text",
                        "org.jspecify.annotations",
                        "java.lang..",
                        "java.util..")
                .check(MAIN);
    }

    @Test
    void json_isKnownToTheReadersOfDocumentsAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".file", ROOT + ".internal.json")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml.jackson..")
                .check(MAIN);
    }

    @Test
    void policy_knowsNoCryptoNoBrokerAndNoOtherModule() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.signetmq.policy..",
                        "com.fasterxml.jackson..",
                        "org.jspecify.annotations",
                        "java.io",
                        "java.lang..",
                        "java.math",
                        "java.nio..",
                        "java.time..",
                        "java.util..")
                .check(MAIN);
    }

    @Test
    void policiesOfMq_areReadWithoutFiles() {
        noClasses()
                .that()
                .resideInAPackage("org.signetmq.policy.mq")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io", "java.nio..")
                .check(MAIN);
    }

    @Test
    void policy_takesNoRandomNumbersAndExitsNowhere() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .check(MAIN);
        noClasses().should().callMethod(System.class, "exit", int.class).check(MAIN);
    }
}
