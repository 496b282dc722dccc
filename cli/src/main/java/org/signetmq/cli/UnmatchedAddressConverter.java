/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code pass} and {@code reject}, the words of policy files. */
final class UnmatchedAddressConverter implements ITypeConverter<UnmatchedAddress> {
    @Override
    public UnmatchedAddress convert(String text) {
        return Arrays.stream(UnmatchedAddress.values())
                .filter(rule -> rule.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("must be "
                        + Arrays.stream(UnmatchedAddress.values())
                                .map(UnmatchedAddress::label)
                                .collect(Collectors.joining(" or "))
                        + ", found '" + text + "'"));
    }
}
