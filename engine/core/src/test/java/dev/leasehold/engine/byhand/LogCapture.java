package dev.leasehold.engine.byhand;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What the engine says in its log while this is open, instead of on the console. */
public final class LogCapture implements AutoCloseable {

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.leasehold.engine");
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();

    public LogCapture() {
        events.start();
        log.addAppender(events);
        log.setAdditive(false);
        log.setLevel(Level.DEBUG);
    }

    /** All lines, in their order. */
    public List<ILoggingEvent> lines() {
        return List.copyOf(events.list);
    }

    public List<String> messages(Level level) {
        return events.list.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        log.detachAppender(events);
        log.setAdditive(true);
        log.setLevel(null);
    }
}
