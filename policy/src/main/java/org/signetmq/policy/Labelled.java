/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** A choice that policy files and commands write as its name in lower case. */
public interface Labelled {
    /** Returns the name of the constant. */
    String name();

    /** Returns the word in policy files. */
    default String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
