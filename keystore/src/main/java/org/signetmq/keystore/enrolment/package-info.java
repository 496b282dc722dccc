/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Takes keys and certificates of other issuers and other software into a home, and issues certificates on request.
 * Imports {@code home} and the packages below it.
 */
@NullMarked
package org.signetmq.keystore.enrolment;

import org.jspecify.annotations.NullMarked;
