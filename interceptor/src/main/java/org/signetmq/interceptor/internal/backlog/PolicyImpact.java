/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.protect.AddressRules;
import org.signetmq.policy.PolicySet;

/**
 * Finds the addresses and queues that a change of policies touches, and the messages that lie there. It names no
 * temporary addresses, because they go with their connections. Thread-safe.
 */
final class PolicyImpact {
    /** The greatest number of addresses that an answer names. */
    static final int MOST_ADDRESSES = 1000;

    /** The greatest number of queues that an answer names. */
    static final int MOST_QUEUES = 1000;

    /** The greatest number of warnings. */
    static final int MOST_WARNINGS = 20;

    /** The greatest length of all names in an answer, in characters. A client may choose long names. */
    static final int LONGEST_NAMES = 1_000_000;

    private final ActiveMQServer server;
    private final AddressRules addresses;

    PolicyImpact(ActiveMQServer server) {
        this.server = server;
        this.addresses = new AddressRules(server);
    }

    /**
     * Returns the consequences of a change as JSON.
     *
     * @param warnings takes a line for each address whose sealed messages may become unreadable, at most twenty
     */
    String of(PolicySet before, PolicySet after, LoadedHome home, Consumer<String> warnings) throws Exception {
        List<TouchedAddress> all = touched(before, after);
        List<TouchedAddress> touched =
                all.stream().filter(address -> !address.isTemporary()).toList();
        StoredState states = new StoredState(before, after, addresses, home);
        LookBudget budget = new LookBudget();
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode named = answer.putArray("addresses");
        int queues = 0;
        int warned = 0;
        long letters = 0;
        for (TouchedAddress address : touched) {
            letters += address.letters();
            if (named.size() == MOST_ADDRESSES || letters > LONGEST_NAMES) {
                break;
            }
            ObjectNode entry =
                    named.addObject().put("address", address.address().toString());
            TouchedAddress.write(entry.putObject("before"), address.before(), before);
            TouchedAddress.write(entry.putObject("after"), address.after(), after);
            ArrayNode counted = entry.putArray("queues");
            long sealed = 0;
            for (Queue queue : address.queues()) {
                if (queues < MOST_QUEUES) {
                    QueueCount count = QueueCount.of(queue, states, budget);
                    count.writeTo(counted.addObject());
                    sealed += count.sealed();
                }
                queues++;
            }
            if (sealed > 0 && address.changesQuality() && warned++ < MOST_WARNINGS) {
                warnings.accept(address.warning(sealed));
            }
        }
        return answer.put("addresses-left-out", touched.size() - named.size())
                .put("temporary-addresses", all.size() - touched.size())
                .put("queues-left-out", Math.max(0, queues - MOST_QUEUES))
                .toString();
    }

    /** Returns the touched addresses, those with the most messages first. */
    private List<TouchedAddress> touched(PolicySet before, PolicySet after) throws Exception {
        List<TouchedAddress> touched = new ArrayList<>();
        for (SimpleString name : server.getPostOffice().getAddresses()) {
            SimpleString bare = addresses.ofRoute(name).orElse(null);
            if (bare == null || isOwn(name) || !TouchedAddress.isTouched(bare, before, after)) {
                continue;
            }
            List<Queue> queues = server.getPostOffice().listQueuesForAddress(name);
            boolean isTemporary = addresses.isTemporary(name);
            touched.add(new TouchedAddress(
                    name,
                    TouchedAddress.policy(before, bare),
                    TouchedAddress.policy(after, bare),
                    queues,
                    isTemporary,
                    queues.stream().mapToLong(Queue::getMessageCount).sum()));
        }
        touched.sort(Comparator.comparingLong(TouchedAddress::messages)
                .reversed()
                .thenComparing(address -> address.address().toString()));
        return touched;
    }

    /** Returns whether the broker keeps an address for itself. */
    private boolean isOwn(SimpleString name) {
        AddressInfo info = server.getAddressInfo(name);
        return addresses.isKept(name) || (info != null && info.isInternal());
    }
}
