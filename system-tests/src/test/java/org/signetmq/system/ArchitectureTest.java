/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The directions of the imports between modules, packages and libraries. It sees the classes of all modules. */
final class ArchitectureTest {
    private static final String ROOT = "org.signetmq.";

    /**
     * The packages of each module, from the top to the bottom: a package imports only packages that stand behind it.
     */
    private static final Map<String, List<String>> PACKAGES = Map.of(
            "policy",
            List.of(".mq", ".file", "", ".internal.match", ".internal.text", ".text"),
            "keystore",
            List.of(
                    ".external",
                    ".token",
                    ".enrolment",
                    ".home",
                    ".internal.trust",
                    ".trust",
                    ".internal.x509",
                    ".keys",
                    ".file",
                    ".internal.file",
                    ""),
            "envelope",
            List.of(
                    "",
                    ".internal.seal",
                    ".internal.open",
                    ".internal.signature",
                    ".internal.codec",
                    ".internal.cms",
                    ".internal.entity",
                    ".internal.der",
                    ".message",
                    ".internal.format",
                    ".exception"),
            "interceptor",
            List.of(
                    "",
                    ".internal.backlog",
                    ".internal.gate",
                    ".internal.reject",
                    ".internal.large",
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
                    ".internal.log"),
            "client",
            List.of(
                    "",
                    ".internal.jms",
                    ".internal.opening",
                    ".internal.message",
                    ".internal.body",
                    ".internal.provider"),
            "springboot",
            List.of(""),
            "cli",
            List.of(
                    "",
                    ".demo",
                    ".command.message",
                    ".command.serve",
                    ".command.certificate",
                    ".command.bundle",
                    ".command.broker",
                    ".command.doctor",
                    ".command.policy",
                    ".command.identity",
                    ".command.keys",
                    ".connection",
                    ".install",
                    ".console"),
            "perf",
            List.of("", ".experiment", ".pair", ".process", ".result"),
            "console",
            List.of(""));

    /** The modules that each module may import. */
    private static final Map<String, Set<String>> MODULES = Map.of(
            "policy", Set.of(),
            "keystore", Set.of("policy"),
            "envelope", Set.of("policy", "keystore"),
            "interceptor", Set.of("policy", "keystore", "envelope"),
            "client", Set.of("policy", "keystore", "envelope"),
            "springboot", Set.of("policy", "keystore", "envelope", "client"),
            "cli", Set.of("policy", "keystore", "envelope", "interceptor", "client"),
            "perf", Set.of("policy", "keystore", "envelope", "interceptor", "client"),
            "console", Set.of());

    /** The folders of the modules whose packages have another name. */
    private static final Map<String, String> FOLDERS = Map.of("springboot", "spring-boot-starter");

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
            "org.signetmq.keystore.keys.CryptoProviders",
            "org.signetmq.keystore.internal.x509.CertificateProviders",
            "org.signetmq.keystore.token.OpenedKey");

    /** The doors of the libraries for applications, the plugin, and the commands that show the providers. */
    private static final Set<String> WHO_CHOOSES_PROVIDERS = Set.of(
            "org.signetmq.keystore.home.Home",
            "org.signetmq.envelope.Sealer",
            "org.signetmq.envelope.Opener",
            "org.signetmq.envelope.SignedDocument",
            "org.signetmq.interceptor.internal.home.CryptoService",
            "org.signetmq.interceptor.internal.large.Senders",
            "org.signetmq.client.internal.opening.MessageSealing",
            "org.signetmq.cli.command.doctor.DoctorCommands",
            "org.signetmq.cli.install.Jars");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(location -> !location.contains("jmh_generated"))
            .importPaths(PACKAGES.keySet().stream()
                    .map(module -> Path.of("..", FOLDERS.getOrDefault(module, module), "target", "classes"))
                    .toArray(Path[]::new));

    /** What is delivered: all but the load tests, which measure with primitives of their own. */
    private static final JavaClasses PRODUCT = ALL.that(DescribedPredicate.describe(
            "are of the product", type -> !module(type).equals("perf")));

    private static String module(JavaClass type) {
        String below = type.getPackageName().substring(ROOT.length());
        int end = below.indexOf('.');
        return end < 0 ? below : below.substring(0, end);
    }

    static Stream<Arguments> packages() {
        return ALL.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .filter(name -> name.startsWith(ROOT))
                .map(name -> {
                    String module =
                            module(ALL.getPackage(name).getClasses().iterator().next());
                    return Arguments.of(module, name.substring(ROOT.length() + module.length()));
                });
    }

    @Test
    void everyModule_isSeen() {
        assertThat(PACKAGES.keySet())
                .allSatisfy(module -> assertThat(
                                ALL.stream().filter(type -> module(type).equals(module)))
                        .hasSizeGreaterThan(1));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void package_importsOnlyThoseBelowIt(String module, String name) {
        List<String> order = Objects.requireNonNull(PACKAGES.get(module));
        assertThat(order).contains(name);

        noClasses()
                .that()
                .resideInAPackage(ROOT + module + name)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(order.subList(0, order.indexOf(name)).stream()
                        .map(above -> ROOT + module + above)
                        .toArray(String[]::new))
                .allowEmptyShould(true)
                .check(ALL);
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
                .check(ALL);
    }

    static Stream<String> modules() {
        return PACKAGES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void module_importsOnlyThoseBelowIt(String module) {
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(MODULES.keySet().stream()
                        .filter(other -> !other.equals(module)
                                && !Objects.requireNonNull(MODULES.get(module)).contains(other))
                        .map(other -> ROOT + other + "..")
                        .toArray(String[]::new))
                .check(ALL);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void internalPackages_areTheModulesOwn(String module) {
        noClasses()
                .that(resideOutsideOfPackages(ROOT + module + ".."))
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + module + "..internal.."))
                .check(ALL);
    }

    /**
     * Who may import a library: the owners are class names or packages with {@code ..}, separated by blanks.
     *
     * <ul>
     *   <li>A broker may run without artemis-amqp-protocol. Only classes that the virtual machine loads for AMQP
     *       messages, or whose callers can miss them, may need it.
     *   <li>A broker and an application may run without Micrometer.
     *   <li>An application need not have all client libraries, and no other code may depend on their oddities.
     * </ul>
     */
    @ParameterizedTest
    @CsvSource({
        "policy, com.fasterxml.jackson.., policy\\.file\\..*",
        "interceptor, org.apache.activemq.artemis.protocol.amqp.., .*[.$]Amqp(Body|LargeBody|LargeSealing|Sessions)(\\$.*)?",
        "interceptor, org.apache.qpid.., .*[.$]Amqp(Body|LargeBody|LargeSealing|Sessions)(\\$.*)?",
        "interceptor, io.micrometer.., .*\\.MicrometerMeters(\\$.*)?",
        "interceptor, org.apache.activemq.artemis.core.server.metrics.., .*\\.MicrometerMeters(\\$.*)?",
        "client, io.micrometer.., .*\\.SignetMetrics",
        "client, org.apache.activemq.artemis.., .*\\.provider\\.Artemis.*",
        "client, org.apache.activemq, .*\\.provider\\.LibraryChoice\\$ActiveMq.*",
        "client, org.apache.activemq.command.., .*\\.provider\\.LibraryChoice\\$ActiveMq.*",
        "client, org.apache.qpid.jms.., .*\\.provider\\.LibraryChoice\\$Qpid.*"
    })
    void library_isKnownToItsOwnerAlone(String module, String library, String owners) {
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .and()
                .haveNameNotMatching("org\\.signetmq\\." + owners + "|" + owners)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(ALL);
    }

    @Test
    void policyKeystoreAndEnvelope_knowNeitherBrokerNorJms() {
        noClasses()
                .that()
                .resideInAnyPackage("org.signetmq.policy..", "org.signetmq.keystore..", "org.signetmq.envelope..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.activemq..", "jakarta.jms..", "org.apache.qpid..", "io.netty..")
                .check(ALL);
    }

    @Test
    void policy_knowsNoCryptoAndNoOtherLibrary() {
        classes()
                .that()
                .resideInAPackage("org.signetmq.policy..")
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
                .check(ALL);
    }

    /** The search can be read and tested without policies. */
    @Test
    void searchAndText_knowNoPolicy() {
        classes()
                .that()
                .resideInAnyPackage("org.signetmq.policy.internal.match", "org.signetmq.policy.internal.text")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.signetmq.policy.internal.match",
                        "org.signetmq.policy.internal.text",
                        "org.signetmq.policy.text",
                        "org.jspecify.annotations",
                        "java.lang..",
                        "java.util..")
                .check(ALL);
    }

    @Test
    void policiesOfMq_areReadWithoutFiles() {
        noClasses()
                .that()
                .resideInAPackage("org.signetmq.policy.mq")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io", "java.nio..")
                .check(ALL);
    }

    @Test
    void interceptor_usesNoCiphers() {
        noClasses()
                .that()
                .resideInAPackage("org.signetmq.interceptor..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("javax.crypto..")
                .check(ALL);
    }

    /** The structure of an envelope alone maps a quality; other code of this module asks the structure. */
    @Test
    void qualities_areComparedByTheirStructureAlone() {
        String quality = "org.signetmq.policy.QualityOfProtection";
        Set<String> compared = Set.of(
                "NONE",
                "INTEGRITY",
                "PRIVACY",
                "CONFIDENTIALITY",
                "AUTHENTICITY",
                "signs",
                "encrypts",
                "reusesKeys",
                "provesSender",
                "protectsNoLessThan");
        check(
                "envelope",
                Set.of("org.signetmq.envelope.internal.cms.EnvelopeStructure"),
                "not compare qualities",
                access -> access.getTargetOwner().getName().equals(quality)
                        && compared.contains(access.getTarget().getName()));
    }

    @Test
    void primitives_areLookedUpWhereProvidersAreKnown() {
        for (String module : MODULES.keySet()) {
            check(
                    module,
                    WHO_KNOWS_PROVIDERS,
                    "not look up a primitive",
                    access -> access.getTarget().getName().equals("getInstance")
                            && PRIMITIVES.contains(access.getTargetOwner().getName()));
        }
    }

    /** Everything else gets the providers from the one that creates it. */
    @Test
    void providers_areChosenWhereAProgramIsPutTogether() {
        for (String module : MODULES.keySet()) {
            check(
                    module,
                    WHO_CHOOSES_PROVIDERS,
                    "not choose the providers",
                    access -> access.getTarget().getName().equals("standard")
                            && access.getTargetOwner().getName().equals("org.signetmq.keystore.keys.CryptoProviders"));
        }
    }

    /** No class of a module of the product but these has such an access. */
    private static void check(
            String module, Set<String> owners, String rule, java.util.function.Predicate<JavaAccess<?>> forbidden) {
        classes()
                .that(DescribedPredicate.describe(
                        "are of " + module + " and none of " + owners,
                        type -> module(type).equals(module)
                                && !owners.contains(outermost(type).getName())))
                .should(new ArchCondition<>(rule) {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        type.getAccessesFromSelf().stream()
                                .filter(forbidden)
                                .forEach(access ->
                                        events.add(SimpleConditionEvent.violated(access, access.getDescription())));
                    }
                })
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    private static JavaClass outermost(JavaClass type) {
        JavaClass outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        return outermost;
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
                .check(ALL);
    }

    @Test
    void weakRandomness_isNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, ThreadLocalRandom.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(PRODUCT);
    }

    @Test
    void noThread_sleeps() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .check(PRODUCT);
    }

    @Test
    void onlyPrograms_endTheProcess() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("org.signetmq.cli.Main")
                .and()
                .doNotHaveFullyQualifiedName("org.signetmq.cli.Rehearsal") // which the launcher runs
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(PRODUCT);
    }

    /** What is public is a promise: a new promise is made in the list first. */
    @Test
    void publicTypes_areThoseListed() throws IOException {
        List<String> programs = List.of("cli", "perf", "console"); // no module may depend on them
        List<String> found = ALL.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .filter(type -> !programs.contains(module(type)))
                .map(JavaClass::getName)
                .filter(name -> !name.contains(".internal.") && !name.endsWith(".package-info"))
                .sorted()
                .toList();

        assertThat(found).containsExactlyElementsOf(listed());
    }

    private static List<String> listed() throws IOException {
        try (InputStream in = ArchitectureTest.class.getResourceAsStream("public-types.txt")) {
            assertThat(in).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split("\n"))
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .sorted()
                    .toList();
        }
    }
}
