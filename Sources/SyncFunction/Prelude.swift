/// The JavaScript around a sync function: what it may call, and how its decisions become JSON (§7.3).
enum Prelude {
    static let text = #"""
        var __functions = {};
        var __state, __user;

        function __define(id, text) {
            var f = (0, eval)("(" + text + "\n)");
            if (typeof f !== "function") { throw new TypeError("not a function"); }
            __functions[id] = f;
            return "";
        }

        function __refuse(status, reason) { throw {__status: status, __reason: reason}; }

        // Names from strings and arrays of strings; null and undefined are none, other values are passed over.
        function __names(values) {
            var names = [];
            for (var i = 0; i < values.length; i++) {
                var value = values[i];
                if (typeof value === "string") { names.push(value); }
                else if (Array.isArray(value)) {
                    for (var j = 0; j < value.length; j++) {
                        if (typeof value[j] === "string") { names.push(value[j]); }
                    }
                }
            }
            return names;
        }

        function __channelNames(values) {
            var names = __names(values);
            for (var i = 0; i < names.length; i++) {
                if (names[i] === "" || names[i].indexOf(",") >= 0) { throw new Error("illegal channel name"); }
            }
            return names;
        }

        function __grant(table, users, names) {
            for (var i = 0; i < users.length; i++) {
                if (!Object.prototype.hasOwnProperty.call(table, users[i])) { table[users[i]] = []; }
                for (var j = 0; j < names.length; j++) { table[users[i]].push(names[j]); }
            }
        }

        function __principal(name) {
            var bare = name.indexOf("role:") === 0 ? name.substring(5) : name;
            if (/[\/:,`]/.test(bare)) { __refuse(500, "Error in JS sync function"); }
        }

        function channel() {
            var names = __channelNames(arguments);
            for (var i = 0; i < names.length; i++) { __state.channels.push(names[i]); }
        }

        function access(users, channels) {
            var who = __names([users]);
            who.forEach(__principal);
            __grant(__state.access, who, __channelNames([channels]).filter(function (c) { return c !== "*"; }));
        }

        function role(users, roles) {
            var who = __names([users]);
            who.forEach(__principal);
            var names = __names([roles]).map(function (name) {
                if (name.indexOf("role:") !== 0) { __refuse(500, "Error in JS sync function"); }
                return name.substring(5);
            });
            __grant(__state.roles, who, names);
        }

        function expiry(value) {
            if (value === null || value === undefined) { return; }
            if (typeof value === "number" || typeof value === "string") { __state.expiry = value; }
        }

        function requireAdmin() { if (__user) { __refuse(403, "sg admin required"); } }

        function requireUser(names) {
            if (__user && __names([names]).indexOf(__user.name) < 0) { __refuse(403, "sg wrong user"); }
        }

        function __requireAny(names, held, reason) {
            if (!__user) { return; }
            for (var i = 0; i < names.length; i++) { if (held.indexOf(names[i]) >= 0) { return; } }
            __refuse(403, reason);
        }

        function requireRole(names) { __requireAny(__names([names]), __user ? __user.roles : [], "sg missing role"); }

        function requireAccess(names) {
            __requireAny(__names([names]), __user ? __user.channels : [], "sg missing channel access");
        }

        var console = {log: function () {}, error: function () {}, warn: function () {}, info: function () {}};
        function log() {}

        function __rejection(error) {
            if (error && typeof error === "object") {
                if (error.__status !== undefined) { return {status: error.__status, reason: error.__reason}; }
                if (error.forbidden !== undefined) { return {status: 403, reason: String(error.forbidden)}; }
                if (error.unauthorized !== undefined) { return {status: 401, reason: String(error.unauthorized)}; }
            }
            return {status: 500, reason: "Exception in JS sync function"};
        }

        function __run(id, text) {
            var call = JSON.parse(text);
            __user = call.user;
            __state = {channels: [], access: {}, roles: {}};
            try {
                __functions[id](call.doc, call.old, {xattrs: {}});
            } catch (error) {
                return JSON.stringify({rejection: __rejection(error)});
            }
            return JSON.stringify(__state);
        }
        """#
}
