/**
 * What an engine and its requests are asked for: the settings of the builder, and the checks of what callers give. Anything that cannot work is
 * refused here, with the value and the rule.
 */
@NullMarked
package dev.leasehold.engine.internal.settings;

import org.jspecify.annotations.NullMarked;
