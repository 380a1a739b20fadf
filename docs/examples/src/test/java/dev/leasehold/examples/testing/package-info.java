/** Tests as users of the library write them, for the page about testing. */
@NullMarked
package dev.leasehold.examples.testing;

import org.jspecify.annotations.NullMarked;
