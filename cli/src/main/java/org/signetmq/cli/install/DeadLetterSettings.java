/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.policy.WildcardSyntax;

/**
 * The address settings of the addresses to which a broker moves dead letters and expired messages. Without settings of
 * their own the broker may move a message a second time, and no consumer can open it then.
 */
record DeadLetterSettings(WholeConfiguration whole, InstallRecord record) {
    static final String SETTINGS = "address-settings";
    static final String SETTING = "address-setting";

    private static final String ATTEMPTS = "max-delivery-attempts";
    private static final String FOREVER = "-1";
    private static final List<String> TARGETS = List.of("dead-letter-address", "expiry-address");
    private static final List<String> LINES =
            List.of("<" + ATTEMPTS + ">-1</" + ATTEMPTS + ">", "<expiry-delay>-1</expiry-delay>");

    /** Returns the addresses without a setting of their own, in the order of the file. */
    List<String> missing() {
        return targets().stream()
                .filter(address -> setting(address).isEmpty() && !isForever(anyWords()))
                .toList();
    }

    /** Returns the addresses whose own setting lets the broker move a message on. */
    List<String> wrong() {
        return targets().stream()
                .filter(address -> setting(address).isPresent()
                        && !isForever(address)
                        && !(isForever(anyWords()) && value(address, ATTEMPTS).isEmpty()))
                .toList();
    }

    /** Returns the addresses that settings name, without names that would be patterns. */
    private Set<String> targets() {
        WildcardSyntax wildcards = whole.syntax();
        Predicate<String> isPattern =
                name -> name.indexOf(wildcards.anyWords()) >= 0 || name.indexOf(wildcards.singleWord()) >= 0;
        Set<String> targets = new LinkedHashSet<>();
        for (XmlElement setting : whole.addressSettings()) {
            TARGETS.stream()
                    .flatMap(name -> setting.all(name).stream())
                    .map(target -> target.text().strip())
                    .filter(name -> !name.isEmpty())
                    .filter(isPattern.negate())
                    .forEach(targets::add);
        }
        return targets;
    }

    private String anyWords() {
        return String.valueOf(whole.syntax().anyWords());
    }

    private Stream<XmlElement> settings(String match) {
        return whole.addressSettings().stream()
                .filter(setting -> setting.attribute("match").equals(match));
    }

    private Optional<XmlElement> setting(String match) {
        return settings(match).findFirst();
    }

    private Optional<String> value(String match, String name) {
        return settings(match)
                .flatMap(setting -> setting.all(name).stream())
                .map(value -> value.text().strip())
                .reduce((first, last) -> last);
    }

    private boolean isForever(String match) {
        return value(match, ATTEMPTS).equals(Optional.of(FOREVER));
    }

    /**
     * Returns the text with the missing settings.
     *
     * @throws UnusableInstanceException if an included file lists the address settings
     */
    BrokerXml into(BrokerXml text) {
        List<String> missing = new ArrayList<>(missing());
        if (missing.isEmpty()) {
            return text;
        }
        whole.included(SETTINGS).ifPresent(file -> {
            throw new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                    + " and lists its address settings; install again when these are among them: "
                    + missing.stream()
                            .map(match -> BrokerXml.setting(SETTING, match, LINES, "", ""))
                            .collect(Collectors.joining()));
        });
        BrokerXml after = text;
        for (int i = missing.size() - 1; i >= 0; i--) { // each becomes the first of the list
            after = after.withAddressSetting(missing.get(i), LINES, record);
        }
        return after;
    }
}
