package dev.leasehold.simulator.logging;

import dev.leasehold.simulator.log.LogListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Writes nothing: what the engine logs about invented trouble is of no interest. But what it has caught, logged, and gone on after may be a
 * failure that nobody else would hear of.
 */
public final class EngineLogs implements SLF4JServiceProvider {

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    @Override
    public void initialize() {
        // There is nothing to prepare.
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Listening::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
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
