/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyEpochs;
import org.signetmq.keystore.keys.KeyPregenerator;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** The plans of patterns with variables, whose values senders choose. */
final class TenantPlansTest {
    private static final PolicySet SET = PolicySet.of(
            1,
            UnmatchedAddress.PASS,
            List.of(
                    Policy.confidentiality("tenant.{t}.#", List.of("{t}-archive"), KeyLimits.DEFAULT),
                    Policy.confidentiality("orders", List.of("shared"), KeyLimits.DEFAULT)));

    @TempDir
    private static Path folder;

    private static Identity sealer;

    private SealingPlanCache plans;

    @BeforeAll
    static void create() {
        Home home = new Home(folder);
        try (Password password = Password.takeOwnershipOf("test-password".toCharArray())) {
            sealer = home.identityStore()
                    .create(new IdentityRequest("one", "CN={t}", KeyAlgorithm.EC_P256, null), password);
        }
    }

    @BeforeEach
    void open() {
        Home home = new Home(folder);
        Recipient one = home.recipientDirectory().find("one").orElseThrow();
        plans = new SealingPlanCache(
                new EveryName(one),
                home.certificateTrust(),
                KeyPregenerator.onThisMachine(PregenerationSettings.OFF, CryptoProviders.standard()));
    }

    @AfterEach
    void close() {
        plans.close();
    }

    /** Finds one certificate under each name but {@code none-archive}. */
    private record EveryName(Recipient one) implements RecipientDirectory {
        @Override
        public Optional<Recipient> find(String selector) {
            return selector.equals("none-archive") ? Optional.empty() : Optional.of(one);
        }

        @Override
        public List<Recipient> find(KeyIdentifier keyIdentifier) {
            return List.of();
        }

        @Override
        public List<Recipient> all() {
            return List.of(one);
        }

        @Override
        public long version() {
            return 1;
        }
    }

    private static EffectivePolicy at(String address) {
        return SET.find(address).orElseThrow();
    }

    private static void use(KeyEpochs epochs) {
        Objects.requireNonNull(epochs.next(1)).close();
    }

    @Test
    void tenants_haveKeysOfTheirOwn_sharedByTheirAddresses() {
        KeyEpochs acme = plans.of(at("tenant.acme.orders"), sealer).epochs();

        assertThat(plans.of(at("tenant.acme.bills"), sealer).epochs()).isSameAs(acme);
        assertThat(plans.of(at("tenant.other.orders"), sealer).epochs()).isNotSameAs(acme);
    }

    /** Addresses that strangers invent cost no memory, and end no keys of patterns without variables. */
    @Test
    void thousandsOfTenants_keepAtMostTheLimit_andTheEldestKeysAreWiped() {
        KeyEpochs shared = plans.of(at("orders"), sealer).epochs();
        KeyEpochs eldest = plans.of(at("tenant.eldest"), sealer).epochs();
        use(eldest);

        for (int i = 0; i < 1500; i++) {
            assertThat(plans.of(at("tenant.t" + i), sealer)).isNotNull();
        }

        assertThat(plans.size()).isEqualTo(SealingPlanCache.MOST_BY_VALUES + 1);
        assertThat(eldest.next(1)).isNull();
        assertThat(plans.of(at("orders"), sealer).epochs()).isSameAs(shared);
        use(plans.of(at("tenant.eldest"), sealer).epochs());
    }

    @Test
    void tenantWithoutACertificate_orWithoutAUsableName_isRejected_andKeepsNoPlan() {
        assertThatThrownBy(() -> plans.of(at("tenant.none.orders"), sealer))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("recipient 'none-archive': no such certificate");
        assertThatThrownBy(() -> plans.of(at("tenant.CN=x.orders"), sealer))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("no name for its recipient '{t}-archive'")
                .hasMessageNotContaining("CN=x");
        assertThat(plans.size()).isZero();
    }

    /** Every look-up must fail, also those that know nothing of variables. */
    @ParameterizedTest
    @ValueSource(strings = {"/{t}", "/CN={t}", "/CN={t};issuer=one", "/ski:{t}", "/{t}-archive"})
    void nameThatAnAddressDoesNotComplete_isNoNameOfACertificate(String name) {
        Home home = new Home(folder);

        assertThat(EffectivePolicy.isIncomplete(name)).isTrue();
        assertThat(home.recipientDirectory().find(name)).isEmpty();
    }

    @Test
    void policyThatIsGone_endsTheKeysOfAllItsTenants() {
        KeyEpochs acme = plans.of(at("tenant.acme"), sealer).epochs();
        KeyEpochs other = plans.of(at("tenant.other"), sealer).epochs();

        plans.retain(SET);
        assertThat(plans.of(at("tenant.acme"), sealer).epochs()).isSameAs(acme);
        plans.retain(SET.without("tenant.{t}.#"));

        assertThat(acme.next(1)).isNull();
        assertThat(other.next(1)).isNull();
        assertThat(plans.size()).isZero();
    }
}
