import DocumentValues

/// What the commands print. Names, reasons and settings come from clients: nothing of them moves a cursor, turns the
/// direction of writing or makes a line of its own.
enum Output {
    static func line(_ text: String) { print(text.printableLine) }

    static func json(_ object: JSONObject) { print("\(JSONValue.object(object))".printableJSON) }
}
