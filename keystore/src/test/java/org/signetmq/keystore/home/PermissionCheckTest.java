/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.trust.RevocationUpdater;

/** Finds homes that other users may change, and secrets that they may read. */
final class PermissionCheckTest {
    private static final int STRANGER = 65534;

    @TempDir
    private Path folder;

    private Home home;

    @BeforeEach
    void makeHome() throws IOException {
        Path above = Files.createDirectory(folder.resolve("above"));
        home = new Home(above.resolve("home"));
        try (Password password = Password.takeOwnershipOf("a password".toCharArray())) {
            home.identityStore().create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password);
        }
        Files.createDirectory(home.crl());
        Files.writeString(home.crl().resolve("old.crl"), "a list");
        Files.writeString(home.policies(), "{}");
        Files.writeString(home.root().resolve("password"), "a password");
        mode("home/password", "rw-------");
    }

    private Path file(String name) {
        return folder.resolve("above").resolve(name);
    }

    private void mode(String name, String mode) throws IOException {
        Files.setPosixFilePermissions(file(name), PosixFilePermissions.fromString(mode));
    }

    private List<Finding> findings() {
        return PermissionCheck.forThisUser().home(home).findings();
    }

    private static void giveToGroup(Path path, int group) throws IOException {
        assumeTrue(ProcessUser.current().isRoot(), "only root gives files away");
        Files.setAttribute(path, "unix:gid", group);
    }

    private static void giveToStranger(Path path) throws IOException {
        assumeTrue(ProcessUser.current().isRoot(), "only root gives files away");
        Files.setAttribute(path, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void homeAsMade_hasNoFinding() {
        assertThat(findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "chmod go-w, home, rwxrwxrwx",
        "chmod go-w, home/trust, rwxrwxrwx",
        "chmod go-w, home/trust, rwxr-xrwx",
        "chmod go-w, home/crl, rwx----w-",
        "chmod go-w, home/policies.json, rw-r--rw-",
        "chmod go-w, home/trust/alice.pem, rw-rw-rw-",
        "chmod go-w, '', rwxrwxrwx",
        "chmod 600, home/password, rw-rw-rw-",
        "chmod 600, home/password, rw-r--r--",
        "chmod 600, home/password, rw----r--",
        "chmod 600, home/password, rw-----w-",
        "chmod 600, home/identities/alice.p12, rw----r--"
    })
    void openToOthers_isFound_andMendedByTheCommand(String command, String name, String mode) throws Exception {
        mode(name, mode);

        assertFoundAndMended(file(name), command);
    }

    @ParameterizedTest
    @CsvSource({
        "chmod go-w, home, rwxrwxr-x",
        "chmod go-w, home/recipients, rwxrwxr-x",
        "chmod go-w, home/identities, rwx-w----",
        "chmod go-w, home/crl/old.crl, rw-rw-r--",
        "chmod go-w, home/policies.json, rw-rw-r--",
        "chmod go-w, home/recipients/alice.pem, rw-rw-r--",
        "chmod go-w, '', rwxrwxr-x",
        "chmod 600, home/password, rw-r-----",
        "chmod 600, home/password, rw--w----",
        "chmod 600, home/identities/alice.p12, rw-r-----"
    })
    void openToAnotherGroup_isFound_andMendedByTheCommand(String command, String name, String mode) throws Exception {
        giveToGroup(file(name), STRANGER);
        mode(name, mode);

        assertFoundAndMended(file(name), command);
    }

    private void assertFoundAndMended(Path path, String command) throws Exception {
        Finding finding = findings().get(0);
        assertThat(findings()).hasSize(1);
        assertThat(finding.path()).isEqualTo(path.toString());
        assertThat(finding.mend()).isEqualTo(command + " " + path);
        assertThatThrownBy(() -> PermissionCheck.forThisUser().home(home).requireNoFinding())
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(path + ": ")
                .hasMessageContaining("run: " + finding.mend());

        run(finding.mend());

        assertThat(findings()).isEmpty();
    }

    private static void run(String command) throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor())
                .isZero();
    }

    @Test
    void nameWithBlanksAndQuotes_isQuotedInTheCommand() throws Exception {
        Path odd = Files.writeString(home.trust().resolve("it's a; name.pem"), "x");
        Files.setPosixFilePermissions(odd, PosixFilePermissions.fromString("rw-rw-rw-"));

        run(findings().get(0).mend());

        assertThat(findings()).isEmpty();
    }

    @Test
    void stickyFolder_isFineAboveTheHome_andNotInIt() throws Exception {
        Files.setAttribute(file(""), "unix:mode", 01777);
        assertThat(findings()).isEmpty();

        Files.setAttribute(home.trust(), "unix:mode", 01777);
        assertThat(findings()).hasSize(1);
    }

    @Test
    void linkToFileInOpenFolder_isFound() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Path target = Files.writeString(open.resolve("policies.json"), "{}");
        Files.delete(home.policies());
        Files.createSymbolicLink(home.policies(), target);
        assertThat(findings()).isEmpty();

        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(findings()).singleElement().extracting(Finding::path).isEqualTo(open.toString());
    }

    @Test
    void linksInACircle_areRejected() throws Exception {
        Files.delete(home.policies());
        Files.createSymbolicLink(home.policies(), Path.of("policies.json"));

        assertUnusable(this::findings, "too many links");
    }

    /** Checks a path below the folder "above", in which a file or folder is open to all. */
    private void assertLeadsTo(String path, String open) throws IOException {
        Files.setPosixFilePermissions(file(open), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(PermissionCheck.forThisUser()
                        .part(Path.of(file("") + "/" + path))
                        .findings())
                .extracting(Finding::path)
                .containsExactly(file(open).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "one/two/file, one",
        "one/two/file, one/two",
        "one/two/file, one/two/file",
        "link/file, one/two",
        "link/../two/file, one",
        "link/../file, one/file",
        "./one/../one/file, one/file",
        "end, one/two/file",
        "absolute, one/two/file",
        "link/absent/file, one/two"
    })
    void eachStepOfAPath_isJudged_alsoThroughLinksAndParents(String path, String open) throws Exception {
        Files.createDirectories(file("one/two"));
        Files.writeString(file("one/file"), "x");
        Files.writeString(file("one/two/file"), "x");
        Files.createSymbolicLink(file("link"), Path.of("one/two"));
        Files.createSymbolicLink(file("end"), Path.of("link/file"));
        Files.createSymbolicLink(file("absolute"), file("link/file"));

        assertLeadsTo(path, open);
    }

    @Test
    void parentsAboveTheRoot_stayAtTheRoot() throws Exception {
        Files.writeString(file("file"), "x");

        assertLeadsTo("../../../../../../../../../../../.." + file("file"), "file");
    }

    @Test
    void fortyLinks_areFollowed_andOneMoreIsNot() throws Exception {
        Files.writeString(file("end"), "x");
        Path target = Path.of("end");
        for (int i = 1; i <= 41; i++) {
            target = Files.createSymbolicLink(file("link" + i), target).getFileName();
        }

        assertLeadsTo("link40", "end");
        assertThatThrownBy(() -> PermissionCheck.forThisUser().part(file("link41")))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage(file("link41") + ": too many links");
    }

    @Test
    void folderOnTheWayToAFile_isJudgedAgain_asAPartItself() throws Exception {
        Files.setAttribute(home.trust(), "unix:mode", 01777);

        PermissionCheck check = PermissionCheck.forThisUser().part(home.trust().resolve("alice.pem"));
        assertThat(check.findings()).isEmpty();

        assertThat(check.part(home.trust()).findings()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "home",
                "home/trust",
                "home/trust/alice.pem",
                "home/identities/alice.p12",
                "home/password",
                "home/policies.json",
                ""
            })
    void strangersFile_isFound_andMendedByTheCommand(String name) throws Exception {
        giveToStranger(file(name));

        assertFoundAndMended(file(name), "chown root");
    }

    @Test
    void strangersLink_isFound() throws Exception {
        Path target = Files.move(home.policies(), folder.resolve("policies.json"));
        giveToStranger(Files.createSymbolicLink(home.policies(), target));

        assertThat(findings()).singleElement().extracting(Finding::mend).isEqualTo("chown -h root " + home.policies());
    }

    @Test
    void strangersHome_isNoHomeForRoot_andItsOwnerIsTold() throws Exception {
        run("chmod 755 " + folder);
        assertThat(PermissionCheck.otherOwner(home.root())).isEmpty();
        assumeTrue(ProcessUser.current().isRoot(), "only root gives files away");
        run("chown -R " + STRANGER + " " + home.root());

        String name = Files.getOwner(home.root()).getName();
        assertThat(PermissionCheck.otherOwner(home.root())).contains(name);
        assertThat(PermissionCheck.otherOwner(home.root().resolve("absent/home")))
                .contains(name);
        assertThat(findings()).isNotEmpty();
    }

    @Test
    void ownerWithoutAName_isNamedByItsNumber_asSudoTakesIt() throws Exception {
        giveToStranger(home.root());
        Files.setAttribute(home.root(), "unix:uid", 7654321);

        assertThat(PermissionCheck.otherOwner(home.root())).contains("'#7654321'");
    }

    @Test
    void folderOfRoot_inAFolderOfAnotherUser_isNotForRoot() throws Exception {
        giveToStranger(file(""));

        assertThatThrownBy(() -> PermissionCheck.otherOwner(home.root()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(file("") + ": belongs to ");
    }

    @Test
    void openTrust_isNotUsed_andUsedWithinASecondOnceMended() throws Exception {
        long[] now = {0};
        RecipientDirectory directory =
                new HomeReader(home, () -> now[0], RevocationUpdater.Mode.BY_HAND, Clock.systemUTC());
        assertThat(directory.find("alice")).isPresent();

        mode("home/recipients/alice.pem", "rw-rw-rw-");
        now[0] += 1_000_000_000;
        assertThatThrownBy(() -> directory.find("alice"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("chmod go-w " + home.recipients().resolve("alice.pem"));

        mode("home/recipients/alice.pem", "rw-r--r--");
        now[0] += 1_000_000_000;
        assertThat(directory.find("alice")).isPresent();
    }

    @Test
    void openPasswordFile_isNotRead() throws Exception {
        mode("home/password", "rw-r--r--");

        assertThatThrownBy(() -> Password.fromFile(file("home/password")))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("chmod 600 " + file("home/password"));
    }

    @Test
    void changedMode_isAnotherStamp() throws Exception {
        FileStamp before = FileStamp.of(home.policies());

        mode("home/policies.json", "rw-------");

        assertThat(FileStamp.of(home.policies())).isNotEqualTo(before);
    }

    @Test
    void fileSystemWithoutModes_findsNothing() throws Exception {
        try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("home.zip"), Map.of("create", "true"))) {
            assertThat(PermissionCheck.forThisUser()
                            .home(new Home(zip.getPath("/home")))
                            .findings())
                    .isEmpty();
        }
    }
}
