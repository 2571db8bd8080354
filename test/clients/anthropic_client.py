"""The Python client, driven by lines of JSON by `python.ts`: one request a line in, its pieces and one outcome out."""

import asyncio
import json
import sys
import threading

import anthropic
from anthropic import beta_async_tool
from pydantic import create_model

TYPES = {"string": str, "integer": int}

# What the client answered, as it is: the next request gets it back without a detour over our JSON.
answers = {}


def say(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def kept(message):
    answers[message.id] = message.content
    return {"message": message.to_dict(), "requestId": getattr(message, "_request_id", None)}


def with_answers(params):
    for turn in params["messages"]:
        if isinstance(turn["content"], dict):
            turn["content"] = answers[turn["content"]["answer"]]
    return params


class Client:
    def __init__(self, url, key, retries):
        self.client = anthropic.AsyncAnthropic(base_url=url, api_key=key, max_retries=retries)

    async def create(self, params, **_):
        return kept(await self.client.messages.create(**params))

    async def stream(self, params, tell, **_):
        async with self.client.messages.stream(**params) as stream:
            async for text in stream.text_stream:
                tell(text)
            return kept(await stream.get_final_message())

    async def loop(self, params, tools, streamed, **_):
        ran = []
        runnable = [self.runnable(tool, ran) for tool in tools]
        runner = self.client.beta.messages.tool_runner(**{**params, "tools": runnable}, stream=streamed)
        async for turn in runner:
            last = await turn.get_final_message() if streamed else turn
        return {**kept(last), "ran": ran}

    def runnable(self, tool, ran):
        async def run(**arguments):
            ran.append({"name": tool["name"], "input": arguments})
            return tool["returns"].format(**arguments)

        schema = tool["schema"]
        return beta_async_tool(run, name=tool["name"], description=tool["description"], input_schema=schema)

    async def structured(self, params, schema, way, **_):
        fields = {name: (TYPES[field["type"]], ...) for name, field in schema["properties"].items()}
        model = create_model(schema["title"], **fields)
        if way == "messages.parse":
            message = await self.client.messages.parse(**params, output_format=model)
        else:
            async with self.client.messages.stream(**params, output_format=model) as stream:
                message = await stream.get_final_message()
        return message.parsed_output.model_dump()

    async def count_tokens(self, params, **_):
        return (await self.client.messages.count_tokens(**params)).input_tokens

    async def models(self, **_):
        return [model.id async for model in self.client.models.list(limit=1)]

    async def model(self, model, **_):
        return (await self.client.models.retrieve(model)).display_name


def failure(error):
    return {
        "kind": type(error).__name__,
        "status": getattr(error, "status_code", None),
        "message": str(getattr(error, "message", error)),
    }


async def do(client, asked):
    number = asked.pop("number")
    if "params" in asked:
        asked["params"] = with_answers(asked["params"])
    try:
        work = getattr(client, asked.pop("do"))
        value = await work(**asked, tell=lambda text: say({"number": number, "text": text}))
        say({"number": number, "value": value})
    except asyncio.CancelledError:
        say({"number": number, "failure": {"kind": "CancelledError", "message": "cancelled"}})
    except Exception as error:
        say({"number": number, "failure": failure(error)})


async def main():
    loop = asyncio.get_running_loop()
    lines = asyncio.Queue()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, json.loads(line))
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    clients, tasks = {}, {}
    while asked := await lines.get():
        if "open" in asked:
            number = asked.pop("open")
            clients[number] = Client(**asked)
        elif "cancel" in asked:
            tasks[asked["cancel"]].cancel()
        else:
            tasks[asked["number"]] = asyncio.create_task(do(clients[asked.pop("client")], asked))


asyncio.run(main())
