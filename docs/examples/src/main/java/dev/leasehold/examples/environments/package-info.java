/**
 * Leases of environments, for a service whose instances check environments and act on them, one at a time.
 *
 * <p>{@code EnvironmentLeases}, what implements it, {@code MeteredEnvironmentLeases}, {@code LeaseDuration} and {@code Activities} are what
 * a service would copy. {@code EnvironmentStory} runs three instances as processes, and freezes one of them between its check and its
 * record.
 */
@NullMarked
package dev.leasehold.examples.environments;

import org.jspecify.annotations.NullMarked;
