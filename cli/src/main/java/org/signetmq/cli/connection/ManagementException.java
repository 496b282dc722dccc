/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

/** Thrown for an operation of a broker's management that has no answer. */
public final class ManagementException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why there is no answer. */
    public enum Reason {
        /** The broker has no such resource: a plugin is absent. */
        NO_RESOURCE,
        /** The resource has no such operation: it is of an earlier version. */
        NO_OPERATION,
        /** The connection ended before the answer came. */
        LOST,
        /** The broker sent no answer in time. */
        SILENT
    }

    ManagementException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
