/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.signetmq.policy");

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
    void policies_doNotKnowTheirFormInMq_andThatIsSmall() {
        noClasses()
                .that()
                .resideInAPackage("org.signetmq.policy")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.signetmq.policy.mq")
                .check(MAIN);
        assertThat(MAIN.stream()
                        .filter(type -> type.getPackageName().equals("org.signetmq.policy.mq"))
                        .filter(type -> type.getEnclosingClass().isEmpty()))
                .hasSizeBetween(2, 20);
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
