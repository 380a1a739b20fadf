/** The page in a browser: what is read, how it is shown, and who may send orders. */
@NullMarked
package dev.leasehold.operator.serve;

import org.jspecify.annotations.NullMarked;
