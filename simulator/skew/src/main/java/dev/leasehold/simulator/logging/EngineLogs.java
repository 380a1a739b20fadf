package dev.leasehold.simulator.logging;

import dev.leasehold.simulator.log.LogListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.NOP_FallbackServiceProvider;

/**
 * Writes nothing: what the engine logs about invented trouble is of no interest. But what it has caught, logged, and gone on after may be a
 * failure that nothing else would hear of.
 */
public final class EngineLogs extends NOP_FallbackServiceProvider {

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Listening::new;
    }

    private static final class Listening extends LegacyAbstractLogger {

        private static final long serialVersionUID = 1L;

        private Listening(String name) {
            this.name = name;
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                @Nullable String message,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            if (thrown != null) {
                LogListener.tell(thrown);
            }
        }
    }
}
