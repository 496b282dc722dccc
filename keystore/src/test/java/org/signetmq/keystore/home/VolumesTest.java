/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.PermissionCheck.MountTable;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.testkit.Run;

/** Homes and passwords on volumes, as Kubernetes, OpenShift and systemd make them. The process is not root. */
final class VolumesTest {
    private static final int OWN = 1234567;
    private static final int FS_GROUP = 2345678;
    private static final int FOREIGN = 3456789;

    @TempDir
    private Path folder;

    private final Deque<Path> mounted = new ArrayDeque<>();
    private ProcessUser user = new ProcessUser(OWN, Set.of(OWN, FS_GROUP));

    @BeforeEach
    void requireRoot() {
        assumeTrue(ProcessUser.current().isRoot(), "needs root, to mount and to give files away");
    }

    @AfterEach
    void unmount() throws IOException {
        for (Path point : mounted) {
            Run.of("umount", "--lazy", point.toString()).ok();
        }
    }

    private PermissionCheck check() {
        return new PermissionCheck(user, "artemis", MountTable::current);
    }

    private List<Finding> secret(Path file) {
        return check().secret(file).findings();
    }

    private List<Finding> home(Path home) {
        return check().home(new Home(home)).findings();
    }

    private static Path mode(Path path, int group, int mode) throws IOException {
        Files.setAttribute(path, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:mode", mode);
        return path;
    }

    private static Path own(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", OWN);
        return path;
    }

    private Path volume(String name) throws IOException {
        Path point = Files.createDirectory(folder.resolve(name));
        Run.of("mount", "-t", "tmpfs", "tmpfs", point.toString()).ok();
        mounted.push(point);
        return point;
    }

    private static void makeReadOnly(Path point) throws IOException {
        Run.of("mount", "-o", "remount,bind,ro", point.toString()).ok();
    }

    /** Makes a Secret with a home, of which each entry is a link into the folder of the current version. */
    private Path secretVolume(int folderMode, int group, int fileMode) throws IOException {
        Path point = volume("secret");
        Path version = Files.createDirectory(point.resolve("..2026_01_01_00_00_00.1"));
        Files.createSymbolicLink(point.resolve("..data"), version.getFileName());
        for (String name : List.of("identities/broker.p12", "trust/broker.pem", "recipients/alice.pem", "password")) {
            Path file = version.resolve(name);
            Files.createDirectories(file.getParent());
            mode(Files.writeString(file, "content"), group, fileMode);
            String first = Path.of(name).getName(0).toString();
            if (!Files.exists(point.resolve(first))) {
                Files.createSymbolicLink(point.resolve(first), Path.of("..data", first));
            }
        }
        try (Stream<Path> folders = Files.walk(version)) {
            for (Path each : (Iterable<Path>) folders.filter(Files::isDirectory)::iterator) {
                mode(each, group, group == 0 ? 0755 : 02755);
            }
        }
        return mode(point, group, folderMode);
    }

    @ParameterizedTest
    @CsvSource({"1777, 0, 444", "1777, 0, 644", "1777, 0, 440", "3777, 2345678, 440", "3777, 2345678, 640"})
    void secretOfAPod_isAccepted(String folderMode, int group, String fileMode) throws Exception {
        Path home = secretVolume(Integer.parseInt(folderMode, 8), group, Integer.parseInt(fileMode, 8));
        assertThat(home(home)).as("while it is writable").isNotEmpty();

        makeReadOnly(home);

        assertThat(home(home)).isEmpty();
        assertThat(secret(home.resolve("password"))).isEmpty();
    }

    @Test
    void filesOfRootForOurGroup_areAccepted_onAWritableFileSystem() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "x");

        for (int mode : List.of(0440, 0640)) {
            assertThat(secret(mode(file, FS_GROUP, mode))).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2345678, 444, chmod 640",
        "2345678, 644, chmod 640",
        "2345678, 660, chmod 640",
        "0, 644, chown artemis",
        "3456789, 440, chown artemis",
        "3456789, 640, chown artemis"
    })
    void secretOfRootForOthers_isRefused_onAWritableFileSystem(int group, String mode, String mend) throws Exception {
        Path file = mode(Files.writeString(folder.resolve("password"), "x"), group, Integer.parseInt(mode, 8));

        assertThat(secret(file)).singleElement().extracting(Finding::mend).isEqualTo(mend + " " + file);
    }

    @ParameterizedTest
    @CsvSource({"666", "660", "646"})
    void secretThatOthersMayWrite_isRefused_onAReadOnlyMount_withWhatAPodNeeds(String mode) throws Exception {
        Path home = secretVolume(01777, FS_GROUP, 0440);
        Path file = mode(home.resolve("password").toRealPath(), FS_GROUP, Integer.parseInt(mode, 8));
        makeReadOnly(home);

        assertThat(secret(home.resolve("password")))
                .singleElement()
                .extracting(Finding::mend)
                .asString()
                .startsWith("chmod 640 " + file + " where it is not read-only")
                .contains("defaultMode: 0440", "fsGroup");
    }

    @Test
    void folderForAll_isRefused_onAReadOnlyMount_unlessItIsSticky() throws Exception {
        Path home = secretVolume(0777, 0, 0444);
        makeReadOnly(home);

        assertThat(home(home)).isNotEmpty();
    }

    @Test
    void secretOfAnotherUser_isRefused_onAReadOnlyMount() throws Exception {
        Path home = secretVolume(01777, 0, 0444);
        own(home.resolve("password").toRealPath());
        Files.setAttribute(home.resolve("password").toRealPath(), "unix:uid", FOREIGN);
        makeReadOnly(home);

        assertThat(secret(home.resolve("password")))
                .singleElement()
                .extracting(Finding::what)
                .asString()
                .contains("not to artemis");
    }

    @Test
    void linkThatAnotherUserMade_isRefused() throws Exception {
        Path home = secretVolume(01777, 0, 0444);
        Path link = Files.createSymbolicLink(home.resolve("policies.json"), Path.of("..data/password"));
        Files.setAttribute(link, "unix:uid", FOREIGN, LinkOption.NOFOLLOW_LINKS);
        makeReadOnly(home);

        assertThat(home(home)).extracting(Finding::path).contains(link.toString());
    }

    @Test
    void oneFileOfASecret_bySubPath_isAccepted() throws Exception {
        Path password = secretVolume(01777, 0, 0644).resolve("password").toRealPath();
        Path point = Files.createFile(folder.resolve("password"));
        Run.of("mount", "--bind", password.toString(), point.toString()).ok();
        mounted.push(point);
        assertThat(secret(point)).isNotEmpty();

        makeReadOnly(point);

        assertThat(secret(point)).isEmpty();
    }

    @Test
    void claimWithFsGroup_isAccepted_forDataThatIsNoSecret() throws Exception {
        Path claim = mode(volume("claim"), FS_GROUP, 02770);
        own(mode(Files.writeString(claim.resolve(PolicyMark.NAME), "x"), FS_GROUP, 0660)); // as a second start sees it
        Path key = own(mode(Files.writeString(claim.resolve("password"), "x"), OWN, 0600));
        assertThat(home(claim)).isEmpty();

        mode(key, FS_GROUP, 0660);

        assertThat(home(claim)).singleElement().extracting(Finding::mend).isEqualTo("chmod 600 " + key);
    }

    @Test
    void claimForAnotherGroup_isRefused() throws Exception {
        Path claim = mode(volume("claim"), FOREIGN, 02770);

        assertThat(home(claim)).singleElement().extracting(Finding::mend).isEqualTo("chmod go-w " + claim);
    }

    @ParameterizedTest
    @CsvSource({"777, 0, chmod go-w", "2777, 2345678, chmod o-w"})
    void emptyDir_isRefused_alsoAboveAHome(String mode, int group, String mend) throws Exception {
        Path volume = mode(volume("empty"), group, Integer.parseInt(mode, 8));
        Path inside = own(Files.createDirectory(volume.resolve("home")));

        for (Path home : List.of(volume, inside)) {
            assertThat(home(home)).singleElement().extracting(Finding::mend).isEqualTo(mend + " " + volume);
        }
    }

    @Test
    void emptyDirInMemory_isAcceptedAboveAHome() throws Exception {
        Path volume = mode(volume("empty"), 0, 01777);

        assertThat(home(own(Files.createDirectory(volume.resolve("home"))))).isEmpty();
        assertThat(home(volume)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, OWN, FOREIGN})
    void homeOfOpenShift_ofRootTheRandomUserOrTheImage_isAccepted(int owner) throws Exception {
        user = new ProcessUser(OWN, Set.of(0, FS_GROUP));
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.createDirectory(home.resolve("identities"));
        Files.createDirectory(home.resolve("trust"));
        Files.writeString(home.resolve("identities/broker.p12"), "x");
        Files.writeString(home.resolve("trust/broker.pem"), "x");
        Files.writeString(home.resolve("password"), "x");
        try (Stream<Path> all = Files.walk(home)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                mode(path, 0, Files.isDirectory(path) ? 0770 : 0660);
                Files.setAttribute(path, "unix:uid", owner);
            }
        }
        assertThat(home(home)).isEmpty();

        mode(home.resolve("trust/broker.pem"), 0, 0666);
        assertThat(home(home)).hasSize(1);

        mode(home.resolve("trust/broker.pem"), 0, 0640); // the group is not as the owner
        assertThat(home(home)).hasSize(owner == FOREIGN ? 1 : 0);

        user = new ProcessUser(OWN, Set.of(OWN));
        assertThat(home(home)).hasSize(owner == FOREIGN ? 6 : 0);
    }

    @Test
    void credentialsOfSystemd_areAccepted_forTheAclShowsAsTheGroupOfRoot() throws Exception {
        Path credentials = volume("credentials");
        Path file = mode(Files.writeString(credentials.resolve("password"), "x"), 0, 0440);
        mode(credentials, 0, 0550);
        makeReadOnly(credentials);

        assertThat(secret(file)).isEmpty();
    }

    @Test
    void nextVersionOfASecret_isTakenWithinASecond() throws Exception {
        Home made = new Home(folder.resolve("made"));
        Home home = new Home(Files.createDirectory(folder.resolve("secret")));
        for (String name : List.of("recipients", "trust")) {
            Files.createSymbolicLink(home.root().resolve(name), Path.of("..data", name));
        }
        makeVersion(made, home, "alice", "..1");
        long[] now = {0};
        RecipientDirectory directory =
                new HomeReader(home, () -> now[0], RevocationUpdater.Mode.BY_HAND, Clock.systemUTC());
        assertThat(directory.find("alice")).isPresent();
        assertThat(directory.find("bob")).isEmpty();

        makeVersion(made, home, "bob", "..2");
        now[0] += 1_000_000_000;

        assertThat(directory.find("bob")).isPresent();
    }

    /**
     * Makes another identity, and points the links of a Secret to a folder with all certificates, as the kubelet does.
     */
    private static void makeVersion(Home made, Home secret, String identity, String name) throws IOException {
        try (Password password = Password.takeOwnershipOf("a password".toCharArray())) {
            made.identityStore()
                    .create(new IdentityRequest(identity, "CN=" + identity, KeyAlgorithm.EC_P256, null), password);
        }
        Path version = secret.root().resolve(name);
        Run.of("cp", "-r", made.root().toString(), version.toString()).ok();
        Path next = Files.createSymbolicLink(secret.root().resolve("..data_tmp"), Path.of(name));
        Path data = secret.root().resolve("..data");
        Path former = Files.exists(data) ? data.toRealPath() : null;
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (former != null) {
            Run.of("rm", "-r", former.toString()).ok();
        }
    }

    @Test
    void groupsThatCannotBeRead_countAsForeign() throws Exception {
        Path file = mode(Files.writeString(folder.resolve("password"), "x"), FS_GROUP, 0440);
        user = new ProcessUser(OWN, Set.of());

        assertThat(secret(file)).hasSize(1);
    }

    @Test
    void stickyFolderOfTheUser_isNoHome() throws Exception {
        Path home = own(mode(Files.createDirectory(folder.resolve("home")), OWN, 01777));

        assertThat(home(home)).hasSize(1);
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        assertThat(home(home)).isEmpty();
    }
}
