/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import org.jspecify.annotations.Nullable;

/**
 * The state of a connection factory at one moment, for a health check.
 *
 * @param policies the version of the policies in force; 0 if none are, or the factory is not one of a home
 * @param opened messages that were opened since the factory was made
 * @param failing failures in a row since the last message that was opened, of the consumer's address that has most of
 *     them; a producer of bad messages can raise it
 * @param problem the reason why the factory can open no message at all; null if it can
 */
public record FactoryStatus(
        long policies, long opened, int failing, @Nullable String problem) {}
