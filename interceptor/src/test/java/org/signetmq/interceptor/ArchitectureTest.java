/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.signetmq.interceptor");

    /**
     * A broker may run without artemis-amqp-protocol: only classes may need it that are loaded for AMQP messages, or by
     * who can do without.
     */
    @Test
    void amqp_isKnownToClassesOfItsNameAlone() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.Amqp(Body|Properties|LargeBody|LargeSealing)")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.activemq.artemis.protocol.amqp..", "org.apache.qpid..")
                .check(CLASSES);
    }

    @Test
    void client_cli_andCiphers_areNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.signetmq.client..", "org.signetmq.cli..", "javax.crypto..")
                .check(CLASSES);
    }
}
