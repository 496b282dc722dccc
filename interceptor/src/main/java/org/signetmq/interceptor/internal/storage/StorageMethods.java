/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * The roles of the methods of the broker's storage, by their exact signatures. A method that takes a message and is not
 * listed here has the role {@link Role#UNKNOWN}.
 */
public record StorageMethods(Class<? extends StorageManager> type, Map<Method, Role> roles, List<String> problems) {
    /** The role of a storage method for a message. */
    public enum Role {
        /** Takes no message. */
        OTHER,
        /** Returns the greatest length of a record. */
        LARGEST_RECORD,
        /** Begins a large message of another protocol than Core. */
        BEGIN_FOREIGN,
        /** Begins a large Core message. */
        BEGIN_CORE,
        /**
         * Makes the file of a large message. A version without this method lets the broker synchronise it once more.
         */
        MAKE_FILE,
        /** Adds to the file of a large message. */
        ADD_BYTES,
        /** Ends the file of a large message. */
        END_LARGE,
        /** Deletes the file of a large message. */
        DELETE_LARGE,
        /** Offers a message to the paging store of its address, before the broker stores it. */
        OFFER_TO_PAGE,
        /** Stores a message. */
        STORE,
        /** Takes a message, and is unknown to this version of Signet. */
        UNKNOWN
    }

    private static final Map<List<Object>, Role> KNOWN = Map.ofEntries(
            known(Role.LARGEST_RECORD, "getMaxRecordSize"),
            known(Role.BEGIN_FOREIGN, "onLargeMessageCreate", long.class, LargeServerMessage.class),
            known(Role.BEGIN_CORE, "createCoreLargeMessage", long.class, Message.class),
            known(Role.OTHER, "createCoreLargeMessage"), // makes an empty one, for reading the journal
            known(Role.MAKE_FILE, "createFileForLargeMessage", long.class, boolean.class),
            known(Role.ADD_BYTES, "addBytesToLargeMessage", SequentialFile.class, long.class, byte[].class),
            known(Role.ADD_BYTES, "addBytesToLargeMessage", SequentialFile.class, long.class, ActiveMQBuffer.class),
            known(Role.END_LARGE, "largeMessageClosed", LargeServerMessage.class),
            known(Role.DELETE_LARGE, "deleteLargeMessageBody", LargeServerMessage.class),
            known(
                    Role.OFFER_TO_PAGE,
                    "addToPage",
                    PagingStore.class,
                    Message.class,
                    Transaction.class,
                    RouteContextList.class),
            known(Role.STORE, "storeMessage", Message.class),
            known(Role.STORE, "storeMessageTransactional", long.class, Message.class));

    private static Map.Entry<List<Object>, Role> known(Role role, String name, Class<?>... parameters) {
        return Map.entry(signature(name, parameters), role);
    }

    private static List<Object> signature(String name, Class<?>... parameters) {
        return List.of(name, List.of(parameters));
    }

    /** Finds the methods of this interface, which is a version of the broker's {@link StorageManager}. */
    public static StorageMethods of(Class<? extends StorageManager> type) {
        Map<Method, Role> roles = new HashMap<>();
        for (Method method : type.getMethods()) {
            roles.put(method, role(method));
        }
        var missing = KNOWN.entrySet().stream()
                .filter(known -> known.getValue() != Role.OTHER && known.getValue() != Role.MAKE_FILE)
                .filter(known -> roles.keySet().stream()
                        .noneMatch(method -> signature(method).equals(known.getKey())))
                .map(known -> "no " + known.getKey().get(0));
        var unknown = roles.entrySet().stream()
                .filter(entry -> entry.getValue() == Role.UNKNOWN)
                .map(entry -> "unknown " + described(entry.getKey()));
        return new StorageMethods(
                type, roles, Stream.concat(missing, unknown).sorted().toList());
    }

    private static List<Object> signature(Method method) {
        return signature(method.getName(), method.getParameterTypes());
    }

    private static Role role(Method method) {
        Role known = KNOWN.get(signature(method));
        if (known != null) {
            return known;
        }
        boolean overload = KNOWN.entrySet().stream()
                .filter(entry -> entry.getValue() != Role.MAKE_FILE)
                .anyMatch(entry -> entry.getKey().get(0).equals(method.getName()));
        return overload || takesMessage(method) || takesBytesOfFile(method) ? Role.UNKNOWN : Role.OTHER;
    }

    private static boolean takesMessage(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type ->
                        Message.class.isAssignableFrom(type) || LargeServerMessage.class.isAssignableFrom(type));
    }

    private static boolean takesBytesOfFile(Method method) {
        List<Class<?>> types = List.of(method.getParameterTypes());
        return types.stream().anyMatch(SequentialFile.class::isAssignableFrom)
                && types.stream()
                        .anyMatch(type -> type == byte[].class
                                || ByteBuffer.class.isAssignableFrom(type)
                                || ActiveMQBuffer.class.isAssignableFrom(type));
    }

    private static String described(Method method) {
        return method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /** Returns the role of this method. Methods of {@code Object} have the role {@link Role#OTHER}. */
    Role of(Method method) {
        return roles.getOrDefault(method, Role.OTHER);
    }

    /**
     * Checks that Signet knows all methods that take a message.
     *
     * @throws MessageRejectedException if it does not
     */
    public void require() throws MessageRejectedException {
        if (!problems.isEmpty()) {
            throw new MessageRejectedException("it has another storage: " + String.join(", ", problems));
        }
    }
}
