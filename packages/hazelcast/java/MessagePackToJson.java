package moonpack;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.StreamSerializer;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Base64;
import org.msgpack.core.ExtensionTypeHeader;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/**
 * Lets members see values of {@code @moonpack/hazelcast} that are MessagePack (type id 28016) as JSON: for predicates on their
 * fields, indexes, aggregations and SQL. Stored bytes stay as they are. Bytes become base64, points of time text as in
 * {@code JSON.stringify}, keys of maps text, NaN and infinities null.
 *
 * <p>Needs msgpack-core on the member's classpath. In hazelcast.yaml:
 *
 * <pre>
 * serialization:
 *   serializers:
 *     - type-class: moonpack.MessagePackToJson
 *       class-name: moonpack.MessagePackToJson
 *     - type-class: moonpack.MessagePackToJson$Packed
 *       class-name: moonpack.MessagePackToJson$Packed
 * </pre>
 *
 * <p>The type-class must be a class that no value has: members then never write with this serializer. A member that
 * keeps objects instead of bytes ({@code in-memory-format: OBJECT}, replicated maps) gives JSON back.
 */
public class MessagePackToJson implements StreamSerializer<Object> {
  /** As deep as moonpack writes and reads by default. */
  private static final int MAX_DEPTH = 512;

  @Override
  public int getTypeId() {
    return 28016;
  }

  @Override
  public Object read(ObjectDataInput in) throws IOException {
    byte[] payload = in.readByteArray();
    if (payload == null) throw new HazelcastSerializationException("a value without MessagePack");
    StringBuilder json = new StringBuilder(payload.length * 3 / 2);
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
      append(json, unpacker, payload.length, 0);
      if (unpacker.hasNext()) throw new HazelcastSerializationException("bytes follow the MessagePack");
    } catch (MessagePackException error) {
      throw new HazelcastSerializationException("not MessagePack: " + error.getMessage(), error);
    }
    return new HazelcastJsonValue(json.toString());
  }

  @Override
  public void write(ObjectDataOutput out, Object value) {
    throw new UnsupportedOperationException("members only read MessagePack");
  }

  /** Appends the next value; {@code size} is that of the whole message. */
  private static void append(StringBuilder json, MessageUnpacker in, int size, int depth) throws IOException {
    if (depth > MAX_DEPTH) throw new HazelcastSerializationException("MessagePack is nested too deep");
    switch (in.getNextFormat().getValueType()) {
      case NIL -> {
        in.unpackNil();
        json.append("null");
      }
      case BOOLEAN -> json.append(in.unpackBoolean());
      case INTEGER -> json.append(in.unpackBigInteger());
      case FLOAT -> {
        double number = in.unpackDouble();
        json.append(Double.isFinite(number) ? Double.toString(number) : "null");
      }
      case STRING -> appendText(json, in.unpackString());
      case BINARY -> appendBase64(json, payload(in, in.unpackBinaryHeader(), size));
      case EXTENSION -> appendExtension(json, in, size);
      case ARRAY -> {
        int count = in.unpackArrayHeader();
        json.append('[');
        for (int i = 0; i < count; i++) {
          if (i > 0) json.append(',');
          append(json, in, size, depth + 1);
        }
        json.append(']');
      }
      case MAP -> {
        int count = in.unpackMapHeader();
        json.append('{');
        for (int i = 0; i < count; i++) {
          if (i > 0) json.append(',');
          appendKey(json, in, size, depth + 1);
          json.append(':');
          append(json, in, size, depth + 1);
        }
        json.append('}');
      }
    }
  }

  /** Keys of JSON are text: others become the text of their JSON. */
  private static void appendKey(StringBuilder json, MessageUnpacker in, int size, int depth) throws IOException {
    StringBuilder key = new StringBuilder();
    append(key, in, size, depth);
    if (key.charAt(0) == '"') json.append(key);
    else appendText(json, key.toString());
  }

  private static void appendExtension(StringBuilder json, MessageUnpacker in, int size) throws IOException {
    ExtensionTypeHeader header = in.unpackExtensionTypeHeader();
    if (!header.isTimestampType()) {
      appendBase64(json, payload(in, header.getLength(), size));
      return;
    }
    Instant time = in.unpackTimestamp(header);
    int digits = time.getNano() % 1_000_000 == 0 ? 3 : 9;
    appendText(json, new DateTimeFormatterBuilder().appendInstant(digits).toFormatter().format(time));
  }

  /** Bytes, once it is known that the message has them: a forged length allocates nothing. */
  private static byte[] payload(MessageUnpacker in, int length, int size) throws IOException {
    if (length > size - in.getTotalReadBytes()) throw new HazelcastSerializationException("MessagePack is cut");
    return in.readPayload(length);
  }

  private static void appendBase64(StringBuilder json, byte[] bytes) {
    json.append('"').append(Base64.getEncoder().encodeToString(bytes)).append('"');
  }

  private static void appendText(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit == '"' || unit == '\\') json.append('\\').append(unit);
      else if (unit < ' ') json.append(String.format("\\u%04x", (int) unit));
      else json.append(unit);
    }
    json.append('"');
  }

  /** The same for values that a client wrote as {@code Packed} (type id 28017). */
  public static final class Packed extends MessagePackToJson {
    @Override
    public int getTypeId() {
      return 28017;
    }
  }
}
