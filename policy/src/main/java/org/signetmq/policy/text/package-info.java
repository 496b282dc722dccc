/* SPDX-License-Identifier: Apache-2.0 */
/** Text for messages: what prints, and the word that a mistyped one may mean. It imports no other package. */
@NullMarked
package org.signetmq.policy.text;

import org.jspecify.annotations.NullMarked;
