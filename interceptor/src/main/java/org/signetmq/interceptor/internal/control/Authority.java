/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import java.security.Principal;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.management.ArtemisMBeanServerGuard;
import org.apache.activemq.artemis.spi.core.security.jaas.UserPrincipal;
import org.apache.activemq.artemis.utils.sm.SecurityManagerShim;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.interceptor.internal.check.SecurityChecks;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.keystore.PrintableText;

/**
 * Checks whether the caller of an operation may read or change policies. Thread-safe.
 *
 * <p>The broker's own checks of management are off by default, and its administrators of queues are not those of
 * policies. So the plugin checks each call, also a call by JMX, and demands a security setting for the addresses
 * {@code mops.signet.#}. A setting for more addresses, such as {@code #}, gives no right here.
 *
 * @param requester returns the session of the management message that this thread serves; null for a call by JMX
 * @param audit records the callers who may not change policies and tried to
 */
public record Authority(ActiveMQServer server, Supplier<@Nullable ServerSession> requester, AuditLog audit) {
    /**
     * A user that the broker authenticated.
     *
     * @param user the name; null if the broker checks no users
     * @param from the address of the user's connection, or {@code jmx}
     */
    public record Caller(@Nullable String user, String from) {
        /** Returns this caller as the origin of a change now. */
        public ChangeOrigin origin() {
            return new ChangeOrigin(user, from, Instant.now());
        }
    }

    /** The rights that a role may have. */
    public enum Right {
        /** To read the state, the policies and the audit. */
        VIEW(CheckType.VIEW, "--viewer-role"),
        /** To change the policies. */
        EDIT(CheckType.EDIT, "--admin-role");

        private final CheckType check;
        private final String option;

        Right(CheckType check, String option) {
            this.check = check;
            this.option = option;
        }

        private boolean isGivenTo(Role role) {
            return this == VIEW ? role.isView() : role.isEdit();
        }
    }

    /**
     * Checks that the caller of an operation may read.
     *
     * @throws SecurityException if the caller may not
     */
    public void requireView(String operation) {
        Caller unused = require(Right.VIEW, operation);
    }

    /**
     * Checks that the caller of an operation may change policies, and returns the caller.
     *
     * @throws SecurityException if the caller may not
     */
    public Author requireEdit(String operation) {
        Caller caller = require(Right.EDIT, operation);
        return new Author(caller.user(), caller.from());
    }

    /**
     * Returns the caller of an operation.
     *
     * @throws SecurityException if the caller does not have the right
     */
    public Caller require(Right right, String operation) {
        ServerSession session = requester.get();
        boolean isMessage = session != null && !session.isClosed();
        Caller caller = isMessage ? of(session) : new Caller(subjectName(), "jmx");
        if (server.getSecurityStore().isSecurityEnabled()
                && !(isGiven(right, operation)
                        && (isMessage ? isPermitted(session, right, operation) : isPermitted(right, operation)))) {
            if (right == Right.EDIT) {
                audit.changeRefused(new Author(caller.user(), caller.from()), operation);
            }
            throw new SecurityException("Signet: "
                    + (caller.user() == null
                            ? "a caller without a user name"
                            : "user '" + PrintableText.of(caller.user(), PrintableText.LONGEST_NAME) + "'")
                    + " does not have permission='" + right + "' on " + SecurityChecks.PREFIX + operation
                    + "; signet broker install " + right.option + " gives it to a role");
        }
        return caller;
    }

    /** Returns whether a role has the right by broker.xml. */
    private boolean isGiven(Right right, String operation) {
        return roles(operation).stream().anyMatch(right::isGivenTo);
    }

    private Set<Role> roles(String operation) {
        return new SecurityChecks(server.getConfiguration(), server.getSecurityRepository()).rolesOf(operation);
    }

    private boolean isPermitted(ServerSession session, Right right, String operation) {
        String user = session.getUsername();
        if (user != null && user.equals(server.getConfiguration().getClusterUser())) {
            return false; // the broker permits all to its cluster's user
        }
        try {
            server.getSecurityStore().check(SimpleString.of(SecurityChecks.PREFIX + operation), right.check, session);
            return true;
        } catch (ActiveMQException rejected) {
            return false;
        } catch (Exception e) {
            throw new SecurityException("Signet: the broker cannot check the permission of a user", e);
        }
    }

    private boolean isPermitted(Right right, String operation) {
        return roles(operation).stream()
                .filter(right::isGivenTo)
                .anyMatch(role -> ArtemisMBeanServerGuard.currentUserHasRole(role.getName()));
    }

    private static Caller of(ServerSession session) {
        String address = session.getRemotingConnection().getRemoteAddress();
        return new Caller(session.getValidatedUser(), address == null ? "this broker" : address);
    }

    private static @Nullable String subjectName() {
        Subject subject = SecurityManagerShim.currentSubject();
        return subject == null
                ? null
                : subject.getPrincipals(UserPrincipal.class).stream()
                        .map(Principal::getName)
                        .findFirst()
                        .orElse(null);
    }
}
