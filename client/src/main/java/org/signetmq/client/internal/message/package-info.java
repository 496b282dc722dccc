/* SPDX-License-Identifier: Apache-2.0 */
/** Presents opened messages as messages of Jakarta Messaging. Imports {@code body} and {@code provider}. */
@NullMarked
package org.signetmq.client.internal.message;

import org.jspecify.annotations.NullMarked;
