package dev.leasehold.simulator.store;

import java.util.function.Supplier;

/** How the threads of callers come into a world, and leave it for code of their own. */
public interface ThreadBoundary {

    /** For threads that are in the world already. */
    ThreadBoundary NONE = new ThreadBoundary() {
        @Override
        public <T> T inside(Supplier<T> call) {
            return call.get();
        }

        @Override
        public <T> T outside(Supplier<T> body) {
            return body.get();
        }
    };

    /** Does something with the database. */
    <T> T inside(Supplier<T> call);

    /** Does, in the middle of that, something of the caller's own. */
    <T> T outside(Supplier<T> body);
}
