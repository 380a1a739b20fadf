package dev.leasehold.engine.world;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What engines say in their log while this is open, instead of on the console. Any thread may log. */
public final class LogCapture implements AutoCloseable {

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.leasehold.engine");
    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
    private volatile Runnable onEachLine = () -> {};
    private final Map<Level, Error> atNext = new ConcurrentHashMap<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            lines.add(line);
            onEachLine.run();
            Error error = atNext.remove(line.getLevel());
            if (error != null) {
                throw error;
            }
        }
    };

    public LogCapture() {
        appender.start();
        log.addAppender(appender);
        log.setAdditive(false);
        log.setLevel(Level.DEBUG);
    }

    /** The thread that logs the next line of this level does not get beyond that. */
    public void throwAtNext(Level level, Error error) {
        atNext.put(level, error);
    }

    /** With each line this happens, on the thread that logs it; it may throw. */
    public void onEachLine(Runnable action) {
        onEachLine = action;
    }

    /** All lines, in their order. */
    public List<ILoggingEvent> lines() {
        return List.copyOf(lines);
    }

    public List<String> messages(Level level) {
        return lines.stream()
                .filter(line -> line.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    public List<String> warnings() {
        return messages(Level.WARN);
    }

    public List<String> warningsAbout(String word) {
        return warnings().stream().filter(line -> line.contains(word)).toList();
    }

    @Override
    public void close() {
        log.detachAppender(appender);
        log.setAdditive(true);
        log.setLevel(null);
    }
}
