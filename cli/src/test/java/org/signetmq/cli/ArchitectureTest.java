/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.crypto.CryptoProviders;

/** What the modules may know of each other. This module sees them all. */
final class ArchitectureTest {
    private static final List<String> MODULES =
            List.of("policy", "keystore", "envelope", "interceptor", "client", "cli");

    private static final Set<String> PRIMITIVES = Set.of(
            "javax.crypto.Cipher",
            "javax.crypto.KeyAgreement",
            "javax.crypto.KeyGenerator",
            "javax.crypto.Mac",
            "javax.crypto.SecretKeyFactory",
            "java.security.KeyFactory",
            "java.security.KeyPairGenerator",
            "java.security.MessageDigest",
            "java.security.Signature");

    private static final Set<String> WHO_KNOWS_PROVIDERS = Set.of(
            "org.signetmq.keystore.crypto.CryptoProviders",
            "org.signetmq.keystore.internal.x509.CertificateProviders",
            "org.signetmq.keystore.token.TokenOperations");

    /** The doors of the libraries for applications, the plugin, and the commands that show the providers. */
    private static final Set<String> WHO_CHOOSES_PROVIDERS = Set.of(
            "org.signetmq.keystore.home.Home",
            "org.signetmq.envelope.Sealer",
            "org.signetmq.envelope.Opener",
            "org.signetmq.envelope.SignedDocument",
            "org.signetmq.interceptor.internal.home.CryptoService",
            "org.signetmq.interceptor.internal.large.LargeBodyWriters",
            "org.signetmq.cli.command.doctor.DoctorCommands",
            "org.signetmq.cli.install.Jars");

    private static final JavaClasses SIGNET = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.signetmq");

    @Test
    void everyModule_isSeen() {
        assertThat(MODULES)
                .allSatisfy(module -> assertThat(SIGNET.stream()
                                .filter(type -> type.getPackageName().startsWith("org.signetmq." + module)))
                        .hasSizeGreaterThan(1));
    }

    @Test
    void modules_dependInOneDirection() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.signetmq..")
                .layer("policy")
                .definedBy("org.signetmq.policy..")
                .layer("keystore")
                .definedBy("org.signetmq.keystore..")
                .layer("envelope")
                .definedBy("org.signetmq.envelope..")
                .layer("interceptor")
                .definedBy("org.signetmq.interceptor..")
                .layer("client")
                .definedBy("org.signetmq.client..")
                .layer("cli")
                .definedBy("org.signetmq.cli..")
                .whereLayer("policy")
                .mayNotAccessAnyLayer()
                .whereLayer("keystore")
                .mayNotAccessAnyLayer()
                .whereLayer("envelope")
                .mayOnlyAccessLayers("policy", "keystore")
                .whereLayer("interceptor")
                .mayOnlyAccessLayers("policy", "keystore", "envelope")
                .whereLayer("client")
                .mayOnlyAccessLayers("policy", "keystore", "envelope")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .check(SIGNET);
    }

    @Test
    void packagesOfTheCommandLine_dependInOneDirection() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.signetmq.cli..")
                .layer("main")
                .definedBy("org.signetmq.cli")
                .layer("demo")
                .definedBy("org.signetmq.cli.demo")
                .layer("queue")
                .definedBy("org.signetmq.cli.command.queue")
                .layer("commands")
                .definedBy(
                        "org.signetmq.cli.command.broker",
                        "org.signetmq.cli.command.bundle..",
                        "org.signetmq.cli.command.certificate",
                        "org.signetmq.cli.command.trust",
                        "org.signetmq.cli.command.message")
                .layer("doctor")
                .definedBy("org.signetmq.cli.command.doctor")
                .layer("policy")
                .definedBy("org.signetmq.cli.command.policy")
                .layer("access")
                .definedBy("org.signetmq.cli.command.policy.access")
                .layer("keys")
                .definedBy("org.signetmq.cli.command.keys")
                .layer("connection")
                .definedBy("org.signetmq.cli.connection")
                .layer("identity")
                .definedBy("org.signetmq.cli.command.identity")
                .layer("install")
                .definedBy("org.signetmq.cli.install")
                .layer("file")
                .definedBy("org.signetmq.cli.file")
                .layer("console")
                .definedBy("org.signetmq.cli.console")
                .whereLayer("main")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("demo")
                .mayOnlyBeAccessedByLayers("main")
                .whereLayer("queue")
                .mayOnlyBeAccessedByLayers("main")
                .whereLayer("doctor")
                .mayOnlyBeAccessedByLayers("main")
                .whereLayer("commands")
                .mayOnlyBeAccessedByLayers("main", "queue")
                .whereLayer("policy")
                .mayOnlyBeAccessedByLayers("main", "commands")
                .whereLayer("access")
                .mayOnlyBeAccessedByLayers("policy", "commands", "doctor")
                .whereLayer("keys")
                .mayOnlyBeAccessedByLayers("identity", "doctor")
                .whereLayer("connection")
                .mayOnlyBeAccessedByLayers("access", "commands", "queue", "doctor", "keys", "identity")
                .whereLayer("connection")
                .mayOnlyAccessLayers("console")
                .whereLayer("identity")
                .mayOnlyBeAccessedByLayers("main", "commands")
                .whereLayer("install")
                .mayNotAccessAnyLayer()
                .whereLayer("file")
                .mayOnlyAccessLayers("console")
                .whereLayer("console")
                .mayNotAccessAnyLayer()
                .ensureAllClassesAreContainedInArchitectureIgnoring(
                        "org.signetmq.policy..",
                        "org.signetmq.keystore..",
                        "org.signetmq.envelope..",
                        "org.signetmq.interceptor..",
                        "org.signetmq.client..")
                .check(SIGNET);
        SlicesRuleDefinition.slices()
                .matching("org.signetmq.(cli..)")
                .should()
                .beFreeOfCycles()
                .check(SIGNET);
    }

    @Test
    void packagesOfTheCommandLine_areSmallAndSayWhatTheyAreFor() throws IOException {
        Map<String, Long> sizes = SIGNET.stream()
                .filter(type -> (type.getPackageName() + ".").startsWith("org.signetmq.cli."))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(sizes).hasSizeGreaterThan(8);
        assertThat(sizes.values()).allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(20));
        for (String name : sizes.keySet()) {
            Path info = Path.of("src/main/java", name.replace('.', '/'), "package-info.java");
            assertThat(Files.readString(info)).contains("/**");
        }
    }

    @Test
    void policyKeystoreAndEnvelope_knowNeitherBrokerNorJms() {
        noClasses()
                .that()
                .resideInAnyPackage("org.signetmq.policy..", "org.signetmq.keystore..", "org.signetmq.envelope..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.activemq..", "jakarta.jms..", "org.apache.qpid..", "io.netty..")
                .check(SIGNET);
        noClasses()
                .that()
                .resideInAPackage("org.signetmq.policy..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.bouncycastle..", "javax.crypto..", "java.security..")
                .check(SIGNET);
    }

    @Test
    void internalPackages_areTheModulesOwn() {
        for (String module : MODULES) {
            noClasses()
                    .that(resideOutsideOfPackages("org.signetmq." + module + ".."))
                    .should()
                    .dependOnClassesThat(resideInAPackage("org.signetmq." + module + "..internal.."))
                    .allowEmptyShould(true)
                    .check(SIGNET);
        }
    }

    @Test
    void primitives_areLookedUpWhereProvidersAreKnown() {
        classes()
                .that(new DescribedPredicate<>("do not know providers") {
                    @Override
                    public boolean test(JavaClass type) {
                        return !WHO_KNOWS_PROVIDERS.contains(outermost(type).getName());
                    }
                })
                .should(new ArchCondition<>("not look up a primitive") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                            if (access.getTarget().getName().equals("getInstance")
                                    && PRIMITIVES.contains(
                                            access.getTargetOwner().getName())) {
                                events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                            }
                        }
                    }
                })
                .check(SIGNET);
    }

    @Test
    void weakRandomness_isNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, ThreadLocalRandom.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(SIGNET);
    }

    @Test
    void nobodySleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(SIGNET);
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .check(SIGNET);
    }

    @Test
    void onlyMain_endsTheProcess() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Main.class.getName())
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(SIGNET);
    }

    /** What is public is a promise: a new promise is made in the list first. */
    @Test
    void publicTypes_areThoseListed() throws IOException {
        List<String> found = SIGNET.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .map(JavaClass::getName)
                .filter(name -> !name.contains(".internal.") && !name.endsWith(".package-info"))
                .filter(name -> !name.startsWith("org.signetmq.cli.")) // a program, which no module may depend on
                .sorted()
                .toList();

        assertThat(found).containsExactlyElementsOf(listed());
    }

    private static List<String> listed() throws IOException {
        try (InputStream in = ArchitectureTest.class.getResourceAsStream("public-types.txt")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .sorted()
                    .toList();
        }
    }

    private static JavaClass outermost(JavaClass type) {
        JavaClass outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        return outermost;
    }

    /** Everything else gets the providers from the one that creates it. */
    @Test
    void providers_areChosenWhereAProgramIsPutTogether() {
        noClasses()
                .that(new DescribedPredicate<JavaClass>("do not put a program together") {
                    @Override
                    public boolean test(JavaClass type) {
                        return !WHO_CHOOSES_PROVIDERS.contains(outermost(type).getName());
                    }
                })
                .should()
                .callMethod(CryptoProviders.class, "standard")
                .check(SIGNET);
    }

    /** A token or a key service keeps the key to itself. */
    @Test
    void privateKeys_areKnownToTheKeyStoreAlone() {
        noClasses()
                .that()
                .resideInAnyPackage("org.signetmq.envelope..", "org.signetmq.interceptor..", "org.signetmq.client..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(PrivateKey.class)
                .check(SIGNET);
    }
}
