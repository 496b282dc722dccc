/* SPDX-License-Identifier: Apache-2.0 */
/** The exceptions that say why a message must not reach the application. */
@NullMarked
package org.signetmq.envelope.exception;

import org.jspecify.annotations.NullMarked;
