/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Holds the values and interfaces that all parts of the keystore share: identities, recipients, key identifiers, names
 * and exceptions. Imports no other package of the keystore.
 */
@NullMarked
package org.signetmq.keystore;

import org.jspecify.annotations.NullMarked;
