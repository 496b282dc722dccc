/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The cases of a parameterized test. The long tier runs all of them, the short one the first. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(Cases.Rows.class)
public @interface Cases {
    /** The cases: values with commas between them, without quotes. Blanks around a value do not count. */
    String[] value();

    /** How many of them the short tier runs. */
    int inShortTier() default 1;

    /** Reads the cases. */
    final class Rows extends AnnotationBasedArgumentsProvider<Cases> {
        @Override
        protected Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context, Cases cases) {
            return Tier.cases(cases.inShortTier(), cases.value())
                    .map(row ->
                            Arrays.stream(row.split(",", -1)).map(String::strip).toArray())
                    .map(Arguments::of);
        }
    }
}
