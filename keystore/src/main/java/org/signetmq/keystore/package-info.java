/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.signetmq.keystore;

import org.jspecify.annotations.NullMarked;
